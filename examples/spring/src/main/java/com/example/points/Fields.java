package com.example.points;

import java.util.regex.Pattern;

/** Checks that the generated models do not make. They require a field, but accept empty text, and any text for a number. */
final class Fields {
    private static final Pattern AMOUNT = Pattern.compile("(0|[1-9][0-9]{0,12})(\\.[0-9]{1,2})?");
    private static final Pattern WHOLE_NUMBER = Pattern.compile("0|[1-9][0-9]{0,14}");

    private Fields() {}

    static void mustHaveText(String... texts) {
        for (String text : texts) {
            if (text.isEmpty()) throw Refused.mandatory();
        }
    }

    static void mustBeAmount(String text) {
        if (!AMOUNT.matcher(text).matches()) throw Refused.mandatory();
    }

    /** Parses a whole number in text form, without sign, spaces or leading zeros. */
    static long wholeNumber(String text, long least) {
        if (!WHOLE_NUMBER.matcher(text).matches()) throw Refused.mandatory();
        return points(Long.parseLong(text), least);
    }

    /** Validates points of version 2.0, which are JSON numbers. */
    static long points(long points, long least) {
        if (points < least || points > Ledger.MAX_POINTS) throw Refused.mandatory();
        return points;
    }
}
