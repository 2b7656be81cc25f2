package com.example.points;

import jakarta.validation.constraints.NotBlank;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.validation.annotation.Validated;

/** The settings under {@code rewards} in application.yaml, which reads them from the environment. The README explains each one. */
@ConfigurationProperties("rewards")
@Validated
public record Settings(
        @NotBlank String serviceToken,
        @NotBlank String basicUser,
        @NotBlank String basicPassword,
        String projectCode,
        String jwtSecret,
        String messageGatewayUrl,
        String messageGatewayAuthorization,
        int otpLimit,
        int tokenSeconds) {}
