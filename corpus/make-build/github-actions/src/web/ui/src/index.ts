export function half(pence?: number): number {
    return pence / 2;
}
