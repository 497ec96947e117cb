import type { Carrier, Parcel } from "./parcel.js";

export const courier: Carrier = {
  name: "courier",
  quote(parcel: Parcel) {
    return { cents: 490 + parcel.grams, days: "2" };
  },
};

export const bicycle: Carrier = {
  name: "bicycle",
  quote: (parcel) => ({ cents: parcel.gramms, days: 1 }),
};
