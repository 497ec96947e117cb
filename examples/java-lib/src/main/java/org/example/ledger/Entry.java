package org.example.ledger;

/** One line of a ledger. */
public record Entry(String customer, String amount) {}
