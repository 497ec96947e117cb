export interface Address {
  street: string;
  country: "DE" | "FR" | "IT";
}

export interface Parcel {
  id: string;
  grams: number;
  to: Address;
}

export interface Carrier {
  name: string;
  quote(parcel: Parcel): { cents: number; days: number };
}
