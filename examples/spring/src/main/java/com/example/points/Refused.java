package com.example.points;

/** A refused call. {@link ErrorReplies} converts it to the error reply that the interface defines. */
class Refused extends RuntimeException {
    final int status;

    Refused(int status, String message) {
        super(message);
        this.status = status;
    }

    /** Creates a refusal with status 422, the usual one of the interface. */
    Refused(String message) {
        this(422, message);
    }

    static Refused tokenInvalid() {
        return new Refused("Token Invalid");
    }

    static Refused mandatory() {
        return new Refused("Please enter the mandatory details to proceed further.");
    }
}
