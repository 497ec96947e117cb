export interface Entry { readonly account: string; readonly cents: number }
export interface Ledger { readonly name: string; readonly entries: readonly Entry[] }
export declare function post(ledger: Ledger, entry: Entry): Ledger;
export declare function balanceOf(ledger: Ledger): number;
