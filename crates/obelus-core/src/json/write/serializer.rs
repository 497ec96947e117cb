//! How serde hands values to [`Lines`]: its data model, method by method.

use serde::ser::{
    Serialize, SerializeMap, SerializeSeq, SerializeStruct, SerializeStructVariant, SerializeTuple,
    SerializeTupleStruct, SerializeTupleVariant, Serializer,
};

use super::{Failed, Lines, Members, plain_length};

/// Methods for values that become text in one way.
macro_rules! values {
    ($($method:ident($type:ty) by $write:ident)*) => {
        $(fn $method(self, value: $type) -> Result<(), Failed> {
            self.$write(value)
        })*
    };
}

impl<'l, 'w> Serializer for &'l mut Lines<'w> {
    type Ok = ();
    type Error = Failed;
    type SerializeSeq = Members<'l, 'w>;
    type SerializeTuple = Members<'l, 'w>;
    type SerializeTupleStruct = Members<'l, 'w>;
    type SerializeTupleVariant = Members<'l, 'w>;
    type SerializeMap = Members<'l, 'w>;
    type SerializeStruct = Members<'l, 'w>;
    type SerializeStructVariant = Members<'l, 'w>;

    values! {
        serialize_i8(i8) by number
        serialize_i16(i16) by number
        serialize_i32(i32) by number
        serialize_i64(i64) by number
        serialize_u8(u8) by number
        serialize_u16(u16) by number
        serialize_u32(u32) by number
        serialize_u64(u64) by number
    }

    fn serialize_f32(self, value: f32) -> Result<(), Failed> {
        self.by_serde(&value)
    }

    fn serialize_f64(self, value: f64) -> Result<(), Failed> {
        self.by_serde(&value)
    }

    fn serialize_char(self, value: char) -> Result<(), Failed> {
        self.by_serde(&value)
    }

    fn serialize_bytes(self, value: &[u8]) -> Result<(), Failed> {
        self.by_serde(value)
    }

    fn serialize_bool(self, value: bool) -> Result<(), Failed> {
        self.word(if value { "true" } else { "false" })
    }

    fn serialize_str(self, text: &str) -> Result<(), Failed> {
        if plain_length(text.as_bytes()) < text.len() {
            return self.by_serde(text);
        }
        self.plain(text);
        Ok(())
    }

    fn serialize_none(self) -> Result<(), Failed> {
        self.word("null")
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<(), Failed> {
        value.serialize(self)
    }

    fn serialize_unit(self) -> Result<(), Failed> {
        self.word("null")
    }

    fn serialize_unit_struct(self, _name: &'static str) -> Result<(), Failed> {
        self.word("null")
    }

    fn serialize_unit_variant(
        self,
        _name: &'static str,
        _index: u32,
        variant: &'static str,
    ) -> Result<(), Failed> {
        self.serialize_str(variant)
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        _name: &'static str,
        value: &T,
    ) -> Result<(), Failed> {
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _name: &'static str,
        _index: u32,
        variant: &'static str,
        value: &T,
    ) -> Result<(), Failed> {
        self.variant(variant)?;
        value.serialize(&mut *self)?;
        self.word("}")
    }

    fn serialize_seq(self, _length: Option<usize>) -> Result<Members<'l, 'w>, Failed> {
        Ok(self.list("]"))
    }

    fn serialize_tuple(self, _length: usize) -> Result<Members<'l, 'w>, Failed> {
        Ok(self.list("]"))
    }

    fn serialize_tuple_struct(
        self,
        _name: &'static str,
        _length: usize,
    ) -> Result<Members<'l, 'w>, Failed> {
        Ok(self.list("]"))
    }

    fn serialize_tuple_variant(
        self,
        _name: &'static str,
        _index: u32,
        variant: &'static str,
        _length: usize,
    ) -> Result<Members<'l, 'w>, Failed> {
        self.variant(variant)?;
        Ok(self.list("]}"))
    }

    fn serialize_map(self, _length: Option<usize>) -> Result<Members<'l, 'w>, Failed> {
        Ok(self.object("}"))
    }

    fn serialize_struct(
        self,
        _name: &'static str,
        _length: usize,
    ) -> Result<Members<'l, 'w>, Failed> {
        Ok(self.object("}"))
    }

    fn serialize_struct_variant(
        self,
        _name: &'static str,
        _index: u32,
        variant: &'static str,
        _length: usize,
    ) -> Result<Members<'l, 'w>, Failed> {
        self.variant(variant)?;
        Ok(self.object("}}"))
    }
}

/// What has members by their order.
macro_rules! lists {
    ($($trait:ident by $method:ident)*) => {
        $(impl $trait for Members<'_, '_> {
            type Ok = ();
            type Error = Failed;

            fn $method<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Failed> {
                self.element(value)
            }

            fn end(self) -> Result<(), Failed> {
                self.close()
            }
        })*
    };
}
lists! {
    SerializeSeq by serialize_element
    SerializeTuple by serialize_element
    SerializeTupleStruct by serialize_field
    SerializeTupleVariant by serialize_field
}

/// What has members by their name.
macro_rules! objects {
    ($($trait:ident)*) => {
        $(impl $trait for Members<'_, '_> {
            type Ok = ();
            type Error = Failed;

            fn serialize_field<T: Serialize + ?Sized>(
                &mut self,
                name: &'static str,
                value: &T,
            ) -> Result<(), Failed> {
                self.field(name, value)
            }

            fn end(self) -> Result<(), Failed> {
                self.close()
            }
        })*
    };
}
objects! { SerializeStruct SerializeStructVariant }

impl SerializeMap for Members<'_, '_> {
    type Ok = ();
    type Error = Failed;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<(), Failed> {
        self.key(key)
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Failed> {
        value.serialize(&mut *self.to)
    }

    fn end(self) -> Result<(), Failed> {
        self.close()
    }
}
