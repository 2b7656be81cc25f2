package com.example.points;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.Collections;
import java.util.List;
import org.springframework.stereotype.Component;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.servlet.HandlerInterceptor;
import org.springframework.web.servlet.config.annotation.InterceptorRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;

/** Checks the credentials that the {@link CalledBy} annotation of an operation requires. */
@Component
class CallerCheck implements HandlerInterceptor, WebMvcConfigurer {
    private final Tokens tokens;
    private final Caller caller;

    CallerCheck(Tokens tokens, Caller caller) {
        this.tokens = tokens;
        this.caller = caller;
    }

    @Override
    public void addInterceptors(InterceptorRegistry registry) {
        registry.addInterceptor(this);
    }

    @Override
    public boolean preHandle(HttpServletRequest request, HttpServletResponse response, Object handler) {
        if (!(handler instanceof HandlerMethod operation)) return true;
        CalledBy calledBy = operation.getMethodAnnotation(CalledBy.class);
        if (calledBy == null) return true;
        String authorization = authorization(request);
        switch (calledBy.value()) {
            case CUSTOMER_OR_PLATFORM -> caller.identify(tokens.customerOrPlatform(authorization));
            case PLATFORM -> tokens.platform(authorization);
            case MICROSITE -> tokens.microsite(authorization);
        }
        return true;
    }

    /**
     * Returns the {@code Authorization} header, or an empty string unless there is exactly one. With two, the intended one is ambiguous.
     */
    private static String authorization(HttpServletRequest request) {
        List<String> values = Collections.list(request.getHeaders("Authorization"));
        return values.size() == 1 ? values.get(0) : "";
    }
}
