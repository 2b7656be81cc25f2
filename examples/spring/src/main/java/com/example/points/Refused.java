package com.example.points;

/** A call that is not carried out. {@link ErrorReplies} turns it into the reply that the interface states. */
class Refused extends RuntimeException {
    final int status;

    Refused(int status, String message) {
        super(message);
        this.status = status;
    }

    /** 422, the refusal of the interface. */
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
