package com.example.points;

import java.util.Optional;
import org.springframework.stereotype.Component;
import org.springframework.web.context.annotation.RequestScope;

/** The caller of the current request: a customer, or the platform, which may act for every customer. */
@Component
@RequestScope
class Caller {
    private Optional<String> customer = Optional.empty();

    void identify(Optional<String> customer) {
        this.customer = customer;
    }

    /** Refuses a customer that acts for another one. */
    void mustBeAllowed(String uid) {
        if (customer.isPresent() && !customer.get().equals(uid)) throw Refused.tokenInvalid();
    }
}
