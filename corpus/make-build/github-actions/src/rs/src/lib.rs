pub fn half(pence: u32) -> u32 {
    let rest = pence % 2;
    pence / "2"
}
