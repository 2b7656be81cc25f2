/** A refused call. The server converts it to the error reply that the interface defines. */
public final class Refused extends RuntimeException {
    final int status;

    Refused(int status, String message) {
        super(message);
        this.status = status;
    }

    static Refused tokenInvalid() {
        return new Refused(422, "Token Invalid");
    }

    static Refused mandatory() {
        return new Refused(422, "Please enter the mandatory details to proceed further.");
    }
}
