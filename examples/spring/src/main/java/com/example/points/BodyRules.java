package com.example.points;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Type;
import org.springframework.core.MethodParameter;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpInputMessage;
import org.springframework.http.converter.HttpMessageConverter;
import org.springframework.web.bind.annotation.RestControllerAdvice;
import org.springframework.web.servlet.mvc.method.annotation.RequestBodyAdviceAdapter;

/** Checks that every request body is well-formed JSON of at most 64 KiB, and an object. */
@RestControllerAdvice
class BodyRules extends RequestBodyAdviceAdapter {
    private static final int MAX_BYTES = 64 * 1024;

    private final ObjectMapper json;

    BodyRules(ObjectMapper json) {
        this.json = json;
    }

    @Override
    public boolean supports(MethodParameter parameter, Type type, Class<? extends HttpMessageConverter<?>> converter) {
        return true;
    }

    @Override
    public HttpInputMessage beforeBodyRead(
            HttpInputMessage message, MethodParameter parameter, Type type, Class<? extends HttpMessageConverter<?>> converter)
            throws IOException {
        byte[] body = message.getBody().readNBytes(MAX_BYTES + 1);
        if (body.length > MAX_BYTES) throw new Refused(413, "Request body is larger than 64 KiB");
        if (!parse(body).isObject()) throw Refused.mandatory();
        return new Body(message.getHeaders(), new ByteArrayInputStream(body));
    }

    private JsonNode parse(byte[] body) throws IOException {
        try {
            return json.readTree(body);
        } catch (JsonProcessingException error) {
            throw new Refused(400, "Invalid request: the body is not well-formed JSON");
        }
    }

    private record Body(HttpHeaders headers, InputStream stream) implements HttpInputMessage {
        @Override
        public InputStream getBody() {
            return stream;
        }

        @Override
        public HttpHeaders getHeaders() {
            return headers;
        }
    }
}
