import { courier } from "./carriers.js";
import type { Parcel } from "./parcel.js";

const parcel: Parcel = {
  id: "p-1",
  grams: 750,
  to: { street: "Ölgasse 3", country: "AT" },
};

const box = "📦"; const days: string = courier.quote(parcel).days;

export const text = `${box} ${parcel.id}: ${days}`;
