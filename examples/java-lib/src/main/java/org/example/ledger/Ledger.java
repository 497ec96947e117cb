package org.example.ledger;

import java.util.List;

/** What customers owe. */
public final class Ledger {
    private final List<Entry> entries;

    public Ledger(List<Entry> entries) {
        this.entries = List.copyOf(entries);
    }

    public long total() {
        long total = 0;
        for (Entry entry : entries) {
            total = total + entry.amount();
        }
        return total;
    }
}
