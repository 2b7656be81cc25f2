package com.example.points;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.cfg.CoercionAction;
import com.fasterxml.jackson.databind.cfg.CoercionInputShape;
import com.fasterxml.jackson.databind.type.LogicalType;
import jakarta.servlet.Filter;
import jakarta.servlet.http.HttpServletResponse;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.autoconfigure.jackson.Jackson2ObjectMapperBuilderCustomizer;
import org.springframework.boot.context.properties.ConfigurationPropertiesScan;
import org.springframework.boot.web.context.WebServerInitializedEvent;
import org.springframework.context.annotation.Bean;
import org.springframework.context.event.EventListener;

/** A client server for the rewards platform. */
@SpringBootApplication
@ConfigurationPropertiesScan
public class ClientServer {
    public static void main(String[] args) {
        SpringApplication.run(ClientServer.class, args);
    }

    @EventListener
    void onListening(WebServerInitializedEvent event) {
        System.out.println("listening on http://127.0.0.1:" + event.getWebServer().getPort());
    }

    /** Disables Jackson's default conversion between numbers and text, because the interface distinguishes them. */
    @Bean
    Jackson2ObjectMapperBuilderCustomizer strictTypes() {
        return builder -> builder
                .featuresToDisable(MapperFeature.ALLOW_COERCION_OF_SCALARS, DeserializationFeature.ACCEPT_FLOAT_AS_INT)
                .featuresToEnable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
                .postConfigurer(json -> {
                    for (var shape : new CoercionInputShape[] {
                        CoercionInputShape.Integer, CoercionInputShape.Float, CoercionInputShape.Boolean
                    }) {
                        json.coercionConfigFor(LogicalType.Textual).setCoercion(shape, CoercionAction.Fail);
                    }
                });
    }

    /** Forbids caching, because replies contain personal data and tokens, even some error replies. */
    @Bean
    Filter noStore() {
        return (request, response, chain) -> {
            ((HttpServletResponse) response).setHeader("Cache-Control", "no-store");
            chain.doFilter(request, response);
        };
    }
}
