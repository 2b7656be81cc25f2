import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A JSON reader and writer, because the Java library has none. If you already use Jackson or Gson, use that instead.
 * Objects are maps and arrays are lists. Whole numbers of up to 18 digits are Long, and all others Double.
 */
final class Json {
    /** The maximum nesting depth. No call of the interface is nested deeper. */
    private static final int DEEPEST = 16;

    private static final Pattern NUMBER = Pattern.compile("-?(0|[1-9][0-9]*)(\\.[0-9]+)?([eE][+-]?[0-9]+)?");
    private static final Pattern WHOLE = Pattern.compile("-?[0-9]{1,18}");

    private final String text;
    private int at;

    private Json(String text) {
        this.text = text;
    }

    /** Parses JSON text. Throws IllegalArgumentException if the text is not JSON. */
    static Object read(String text) {
        Json json = new Json(text);
        Object value = json.value(0);
        json.blanks();
        if (json.at < text.length()) {
            throw json.wrong();
        }
        return value;
    }

    /** Converts maps, lists, strings, numbers, booleans and null to JSON text. */
    static String write(Object value) {
        StringBuilder out = new StringBuilder();
        write(value, out);
        return out.toString();
    }

    private Object value(int depth) {
        if (depth > DEEPEST) {
            throw wrong();
        }
        blanks();
        char first = at < text.length() ? text.charAt(at) : 0;
        return switch (first) {
            case '{' -> object(depth);
            case '[' -> array(depth);
            case '"' -> string();
            case 't' -> word("true", true);
            case 'f' -> word("false", false);
            case 'n' -> word("null", null);
            default -> number();
        };
    }

    private Map<String, Object> object(int depth) {
        Map<String, Object> members = new LinkedHashMap<>();
        at++;
        blanks();
        if (next('}')) {
            return members;
        }
        do {
            blanks();
            String name = string();
            blanks();
            if (!next(':')) {
                throw wrong();
            }
            members.put(name, value(depth + 1));
            blanks();
        } while (next(','));
        if (!next('}')) {
            throw wrong();
        }
        return members;
    }

    private List<Object> array(int depth) {
        List<Object> items = new ArrayList<>();
        at++;
        blanks();
        if (next(']')) {
            return items;
        }
        do {
            items.add(value(depth + 1));
            blanks();
        } while (next(','));
        if (!next(']')) {
            throw wrong();
        }
        return items;
    }

    private String string() {
        if (!next('"')) {
            throw wrong();
        }
        StringBuilder out = new StringBuilder();
        while (at < text.length()) {
            char next = text.charAt(at++);
            if (next == '"') {
                return out.toString();
            }
            if (next < ' ') {
                throw wrong();
            }
            out.append(next == '\\' ? escaped() : next);
        }
        throw wrong();
    }

    private char escaped() {
        char kind = at < text.length() ? text.charAt(at++) : 0;
        return switch (kind) {
            case '"', '\\', '/' -> kind;
            case 'b' -> '\b';
            case 'f' -> '\f';
            case 'n' -> '\n';
            case 'r' -> '\r';
            case 't' -> '\t';
            case 'u' -> {
                String digits = text.substring(at, Math.min(at + 4, text.length()));
                if (!digits.matches("[0-9a-fA-F]{4}")) {
                    throw wrong();
                }
                at += 4;
                yield (char) Integer.parseInt(digits, 16);
            }
            default -> throw wrong();
        };
    }

    private Object number() {
        Matcher matcher = NUMBER.matcher(text).region(at, text.length());
        if (!matcher.lookingAt()) {
            throw wrong();
        }
        at = matcher.end();
        String digits = matcher.group();
        if (WHOLE.matcher(digits).matches()) {
            return Long.valueOf(digits);
        }
        return Double.valueOf(digits);
    }

    private Object word(String word, Object value) {
        if (!text.startsWith(word, at)) {
            throw wrong();
        }
        at += word.length();
        return value;
    }

    private boolean next(char wanted) {
        if (at >= text.length() || text.charAt(at) != wanted) {
            return false;
        }
        at++;
        return true;
    }

    private void blanks() {
        while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) {
            at++;
        }
    }

    private IllegalArgumentException wrong() {
        return new IllegalArgumentException("no JSON at character " + at);
    }

    private static void write(Object value, StringBuilder out) {
        if (value instanceof String string) {
            quote(string, out);
        } else if (value instanceof Map<?, ?> map) {
            String separator = "{";
            for (Map.Entry<?, ?> entry : map.entrySet()) {
                quote((String) entry.getKey(), out.append(separator));
                write(entry.getValue(), out.append(':'));
                separator = ",";
            }
            out.append(map.isEmpty() ? "{}" : "}");
        } else if (value instanceof List<?> list) {
            String separator = "[";
            for (Object item : list) {
                write(item, out.append(separator));
                separator = ",";
            }
            out.append(list.isEmpty() ? "[]" : "]");
        } else {
            out.append(value);
        }
    }

    private static void quote(String text, StringBuilder out) {
        out.append('"');
        for (char next : text.toCharArray()) {
            if (next == '"' || next == '\\') {
                out.append('\\').append(next);
            } else if (next < ' ' || Character.isSurrogate(next)) {
                out.append(String.format("\\u%04x", (int) next));
            } else {
                out.append(next);
            }
        }
        out.append('"');
    }
}
