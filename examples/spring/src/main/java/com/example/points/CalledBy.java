package com.example.points;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** The party that may call an operation. {@link CallerCheck} refuses all others before the body is read. */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@interface CalledBy {
    enum Party {
        /** The platform with the service token, or a customer with a JWT that this server issued. */
        CUSTOMER_OR_PLATFORM,
        PLATFORM,
        /** The microsite with Basic credentials. */
        MICROSITE
    }

    Party value();
}
