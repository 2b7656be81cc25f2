package com.example.points;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.http.client.ClientHttpRequestFactoryBuilder;
import org.springframework.boot.http.client.ClientHttpRequestFactorySettings;
import org.springframework.http.MediaType;
import org.springframework.stereotype.Component;
import org.springframework.web.client.RestClient;
import org.springframework.web.client.RestClientException;

/** Sends SMS through the gateway at the given address, or prints them if there is none. */
@Component
class MessageGateway {
    private record Message(
            String channel,
            String to,
            String text,
            @JsonProperty("customer_id") String customerId,
            @JsonProperty("reference_id") String referenceId) {}

    private static final Logger LOG = LoggerFactory.getLogger(MessageGateway.class);

    private final RestClient http;
    private final ObjectMapper json;
    private final Settings settings;

    MessageGateway(RestClient.Builder http, ObjectMapper json, Settings settings) {
        var limits = ClientHttpRequestFactorySettings.defaults()
                .withConnectTimeout(Duration.ofSeconds(5))
                .withReadTimeout(Duration.ofSeconds(5));
        this.http = http.requestFactory(ClientHttpRequestFactoryBuilder.jdk().build(limits)).build();
        this.json = json;
        this.settings = settings;
    }

    void send(String to, String text, String customerId, String referenceId) {
        Message message = new Message("sms", to, text, customerId, referenceId);
        if (settings.messageGatewayUrl().isEmpty()) {
            LOG.info("message {}", written(message));
            return;
        }
        try {
            var request = http.post().uri(settings.messageGatewayUrl()).contentType(MediaType.APPLICATION_JSON);
            if (!settings.messageGatewayAuthorization().isEmpty()) {
                request.header("Authorization", settings.messageGatewayAuthorization());
            }
            request.body(message).retrieve().toBodilessEntity();
        } catch (RestClientException error) {
            LOG.warn("The message gateway did not take a message: {}", error.getMessage());
            throw new Refused(503, "Temporarily unavailable");
        }
    }

    private String written(Message message) {
        try {
            return json.writeValueAsString(message);
        } catch (JsonProcessingException error) {
            throw new IllegalStateException(error);
        }
    }
}
