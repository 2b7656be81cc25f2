package com.example.rewards;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpServer;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

class RedemptionTest {
  private static final HttpClient HTTP = HttpClient.newHttpClient();

  @Test
  void thePlatformListsRewardsForTheCompany() throws Exception {
    try (var sandbox = new RewardsSandboxContainer()) {
      sandbox.start();
      var list = HttpRequest.newBuilder(URI.create(sandbox.platformUrl() + "/v1/partner/rewards?limit=1"));
      var reply = HTTP.send(list.header("Authorization", sandbox.companyToken()).build(), BodyHandlers.ofString());
      assertEquals(200, reply.statusCode());
    }
  }

  @Test
  void theClockStandsStillUntilTheTestAdvancesIt() {
    try (var sandbox = new RewardsSandboxContainer()) {
      sandbox.start();
      var first = sandbox.control("GET", "/clock", null);
      assertEquals(first, sandbox.control("GET", "/clock", null));
    }
  }

  @Test
  void thePlatformCallsAClientServerOnThisMachine() throws Exception {
    String token = "service-token-of-the-test";
    List<String> calls = new CopyOnWriteArrayList<>();
    var server = HttpServer.create(new InetSocketAddress(0), 0);
    server.createContext("/", call -> {
      calls.add(String.valueOf(call.getRequestHeaders().getFirst("Authorization")));
      call.sendResponseHeaders(404, -1);
      call.close();
    });
    server.start();
    try (var sandbox = new RewardsSandboxContainer().withClientServer(server.getAddress().getPort(), token)) {
      sandbox.start();
      var body = "{\"uid\":\"CUST0001\",\"line_items\":[{\"sku\":\"EGV-SPICE-500\",\"quantity\":1}]}";
      var order = HttpRequest.newBuilder(URI.create(sandbox.platformUrl() + "/v1/partner/redeemptiononskus"));
      order.header("Authorization", sandbox.companyToken()).header("Content-Type", "application/json");
      HTTP.send(order.POST(BodyPublishers.ofString(body)).build(), BodyHandlers.ofString());
      assertTrue(calls.contains("Bearer " + token), () -> "The calls have the credentials " + calls);
    } finally {
      server.stop(0);
    }
  }
}
