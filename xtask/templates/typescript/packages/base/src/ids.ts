declare const brand: unique symbol;

/** A text that names one thing of one kind. */
export type Id<Kind extends string> = string & { readonly [brand]: Kind };

export function id<Kind extends string>(kind: Kind, text: string): Id<Kind> {
  return `${kind}:${text}` as Id<Kind>;
}
