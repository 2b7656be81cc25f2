package com.example.rewards;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests that need no container engine. */
class RewardsSandboxContainerTest {
  @Test
  void aContainerHasThePortATokenOfItsOwnAndAFrozenClock() {
    try (var container = new RewardsSandboxContainer(); var another = new RewardsSandboxContainer()) {
      assertEquals(List.of(4010), container.getExposedPorts());
      assertEquals("frozen", container.getEnvMap().get("REWARDS_SANDBOX_CLOCK"));
      assertNotEquals(container.adminToken(), another.adminToken());
    }
  }

  @Test
  void withClientServerPointsThePlatformAtAPortOfThisMachineAndAllowsTheNetworksOfContainers() {
    try (var container = new RewardsSandboxContainer().withClientServer(8080, "token-of-the-service")) {
      var environment = container.getEnvMap();
      assertEquals("http://host.testcontainers.internal:8080", environment.get("REWARDS_SANDBOX_CLIENT_URL"));
      assertEquals("token-of-the-service", environment.get("REWARDS_SANDBOX_CLIENT_TOKEN"));
      assertEquals("172.16.0.0/12,192.168.0.0/16", environment.get("REWARDS_SANDBOX_ALLOW_ADDRESS"));
    }
  }
}
