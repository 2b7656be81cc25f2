package com.example.points;

import com.fasterxml.jackson.annotation.JsonInclude;
import jakarta.validation.ConstraintViolationException;
import java.util.Map;
import org.springframework.dao.ConcurrencyFailureException;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.HttpMediaTypeNotSupportedException;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RestControllerAdvice;
import org.springframework.web.context.request.ServletWebRequest;
import org.springframework.web.context.request.WebRequest;
import org.springframework.web.servlet.mvc.method.annotation.ResponseEntityExceptionHandler;

/** Converts every error to the error envelope of the interface. */
@RestControllerAdvice
class ErrorReplies extends ResponseEntityExceptionHandler {
    private record Problem(String name, String message, int code, int status, String type) {}

    @JsonInclude
    private record Envelope(boolean success, int status, Problem data) {}

    private static final Map<Integer, String> NAMES = Map.of(
            400, "Bad Request",
            401, "Unauthorized",
            404, "Not Found",
            405, "Method Not Allowed",
            406, "Not Acceptable",
            413, "Payload Too Large",
            415, "Unsupported Media Type",
            422, "Unprocessable entity",
            500, "Internal Server Error",
            503, "Service Unavailable");

    private static final Map<Integer, String> MESSAGES = Map.of(
            404, "Not found",
            405, "Method not allowed",
            406, "Replies are application/json",
            415, "Content-Type must be application/json");

    @ExceptionHandler
    ResponseEntity<Object> refused(Refused refused) {
        HttpHeaders headers = new HttpHeaders();
        if (refused.status == 401) headers.set(HttpHeaders.WWW_AUTHENTICATE, "Basic realm=\"client\"");
        return reply(refused.status, refused.getMessage(), headers);
    }

    /** Handles concurrent calls on the same row or key. The platform retries a call after 503. */
    @ExceptionHandler({ConcurrencyFailureException.class, DuplicateKeyException.class})
    ResponseEntity<Object> concurrent(RuntimeException error) {
        logger.warn("Two calls met: " + error.getMessage());
        return reply(503, "Temporarily unavailable", new HttpHeaders());
    }

    @ExceptionHandler
    ResponseEntity<Object> invalid(ConstraintViolationException error) {
        return refused(Refused.mandatory());
    }

    @ExceptionHandler
    ResponseEntity<Object> unexpected(Exception error) {
        logger.error("Internal error", error);
        return reply(500, "Internal error", new HttpHeaders());
    }

    /** Handles errors that Spring detects before it calls a controller. */
    @Override
    protected ResponseEntity<Object> handleExceptionInternal(
            Exception error, Object body, HttpHeaders headers, HttpStatusCode status, WebRequest request) {
        boolean empty = ((ServletWebRequest) request).getRequest().getContentLength() <= 0;
        boolean untypedAndEmpty = error instanceof HttpMediaTypeNotSupportedException media
                && media.getContentType() == null
                && empty;
        // The interface returns 422 for a missing field or parameter, and for a value of another type.
        if (status.value() == 400 || untypedAndEmpty) return refused(Refused.mandatory());
        return MESSAGES.containsKey(status.value())
                ? reply(status.value(), MESSAGES.get(status.value()), headers)
                : unexpected(error);
    }

    private static ResponseEntity<Object> reply(int status, String message, HttpHeaders headers) {
        String name = NAMES.get(status);
        String kind = status == 422 ? "UnprocessableEntity" : name.replace(" ", "");
        Problem problem = new Problem(name, message, 0, status, kind + "HttpException");
        return ResponseEntity.status(status)
                .headers(headers)
                .contentType(MediaType.APPLICATION_JSON)
                .body(new Envelope(false, status, problem));
    }
}
