/** A call that is not carried out. The server turns it into the reply that the interface states. */
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
