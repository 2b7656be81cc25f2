package com.example.rewards;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.AfterTestExecutionCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * A rewards sandbox in JUnit 5: one process for the whole run, and one workspace for each test with a parameter of type
 * {@link Workspace}.
 *
 * <pre>{@code
 * @ExtendWith(RewardsSandbox.class)
 * class RedemptionTest {
 *   @Test
 *   void aVoucherIsDelivered(RewardsSandbox.Workspace workspace) { ... }
 * }
 * }</pre>
 *
 * The command in REWARDS_SANDBOX_COMMAND starts the sandbox ("rewards-sandbox" by default). To use a running sandbox instead, set
 * REWARDS_SANDBOX_URL to its control API, such as http://127.0.0.1:4010/sandbox/v1. Needs Java 17, JUnit 5.8 or newer and Jackson.
 */
public final class RewardsSandbox implements ParameterResolver, AfterTestExecutionCallback, AfterEachCallback {
  private static final Namespace NAMESPACE = Namespace.create(RewardsSandbox.class);
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final HttpClient HTTP = HttpClient.newHttpClient();
  /** Stored in a field because the sandbox stops when its standard input closes. */
  private static Process process;

  /** The response to a call. {@code body} is a missing node unless the response is JSON. */
  public record Answer(int status, JsonNode body, String text) {}

  /**
   * Makes a call, with {@code body} as JSON unless it is null. {@code headers} alternates names and values. Returns responses
   * with an error status too.
   */
  public static Answer call(String method, String url, Object body, String... headers) {
    try {
      var sent = body == null ? BodyPublishers.noBody() : BodyPublishers.ofString(JSON.writeValueAsString(body));
      var request = HttpRequest.newBuilder(URI.create(url)).method(method, sent).timeout(Duration.ofSeconds(90));
      request.header("Content-Type", "application/json");
      if (headers.length > 0) request.headers(headers);
      HttpResponse<String> reply = HTTP.send(request.build(), BodyHandlers.ofString());
      String text = reply.body();
      boolean isJson = text.startsWith("{") || text.startsWith("[");
      return new Answer(reply.statusCode(), JSON.readTree(isJson ? text : ""), text);
    } catch (IOException error) {
      throw new UncheckedIOException(method + " " + url + " was not answered", error);
    } catch (InterruptedException error) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(error);
    }
  }

  /** Makes a call and returns the body of the response. Fails the test if the call is refused. */
  public static JsonNode accepted(String method, String url, Object body, String... headers) {
    var answer = call(method, url, body, headers);
    if (answer.status() >= 400) {
      throw new AssertionError(method + " " + url + " returned " + answer.status() + ": " + answer.text());
    }
    return answer.body();
  }

  /** The workspace of one test, with its own customers, catalogue, ledger, clock and credentials. */
  public static final class Workspace {
    private final JsonNode made;

    private Workspace(JsonNode made) {
      this.made = made;
    }

    /** Returns the address of an API: rewards, client, sandbox, general, gateway. */
    public String url(String api) {
      return made.at("/urls/" + api).asText();
    }

    /** Returns a credential by its JSON pointer, such as {@code /company_secret} or {@code /basic/password}. */
    public String credential(String pointer) {
      return made.at("/credentials" + pointer).asText();
    }

    /** Calls the control API and returns the body. Fails the test if the call is refused. */
    public JsonNode control(String method, String path, Object body) {
      String admin = "Bearer " + made.get("admin_token").asText();
      return accepted(method, url("sandbox") + path, body, "Authorization", admin);
    }

    /** Returns the token that your server sends to the platform. */
    public String companyToken() {
      var secret = Map.of("secret", credential("/company_secret"));
      return accepted("POST", url("rewards") + "/v1/company/auth", secret).get("token").asText();
    }

    /** Orders one item with the company token, as your server does. Fails the test if the order is refused. */
    public JsonNode order(String uid, String sku) {
      var body = Map.of("uid", uid, "line_items", List.of(Map.of("sku", sku, "quantity", 1)));
      return accepted("POST", url("rewards") + "/v1/partner/redeemptiononskus", body, "Authorization", companyToken());
    }

    /** Makes the platform call your own client server instead of the reference client. */
    public void pointAt(String clientUrl, String serviceToken) {
      var settings = Map.of("client_url", clientUrl, "client_token", serviceToken);
      control("PATCH", "/workspace", Map.of("settings", settings));
    }

    /** Advances the clock, and runs everything that becomes due: deliveries, reversals, credits. */
    public void advance(int seconds) {
      control("POST", "/clock/advance", Map.of("seconds", seconds));
    }

    /** Returns the balance and entries of a customer in the client's ledger. */
    public JsonNode ledger(String uid) {
      return control("GET", "/ledger/" + uid, null);
    }

    /** Fails if the points of platform and client differ, or a delivery is pending. */
    public void assertBooksEven() {
      JsonNode differences = control("GET", "/reconciliation", null);
      if (!differences.get("items").isEmpty() || !differences.get("next").isNull()) {
        throw new AssertionError("the ledgers differ: " + differences.toPrettyString());
      }
    }

    /** Fails if either side violated the interface in this test. */
    public void assertContractsKept() {
      JsonNode found = control("GET", "/findings?severity=error&wait=60", null);
      if (!found.get("items").isEmpty()) {
        throw new AssertionError("calls violate the interface: " + found.get("items").toPrettyString());
      }
      if (found.get("checked_to").asLong() < found.get("newest").asLong()) {
        throw new AssertionError("calls were not checked within 60 s");
      }
    }

    private void delete() {
      control("DELETE", "/workspaces/" + made.get("id").asText(), null);
    }
  }

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    return parameter.getParameter().getType() == Workspace.class;
  }

  /** Creates a workspace with a frozen clock. It is deleted after the test. */
  @Override
  public Workspace resolveParameter(ParameterContext parameter, ExtensionContext context) {
    var store = context.getStore(NAMESPACE);
    return store.getOrComputeIfAbsent(Workspace.class, type -> newWorkspace(running(context)), Workspace.class);
  }

  /** Checks that the ledgers agree after a test that passed. */
  @Override
  public void afterTestExecution(ExtensionContext context) {
    var workspace = context.getStore(NAMESPACE).get(Workspace.class, Workspace.class);
    if (workspace != null && context.getExecutionException().isEmpty()) workspace.assertBooksEven();
  }

  @Override
  public void afterEach(ExtensionContext context) {
    var workspace = context.getStore(NAMESPACE).remove(Workspace.class, Workspace.class);
    if (workspace != null) workspace.delete();
  }

  private static Workspace newWorkspace(String sandbox) {
    var answer = call("POST", sandbox + "/workspaces", Map.of("clock", "frozen"));
    if (answer.status() != 201) throw new AssertionError("no workspace: " + answer.status() + " " + answer.text());
    return new Workspace(answer.body());
  }

  /** Returns the control API of this run's sandbox. The first call starts it. It stops with the JVM, even if the JVM is killed. */
  private static String running(ExtensionContext context) {
    return context.getRoot().getStore(NAMESPACE).getOrComputeIfAbsent("sandbox", key -> start(), String.class);
  }

  private static String start() {
    String running = System.getenv("REWARDS_SANDBOX_URL");
    if (running != null && !running.isEmpty()) return running;
    String command = System.getenv().getOrDefault("REWARDS_SANDBOX_COMMAND", "rewards-sandbox");
    List<String> words = new ArrayList<>(List.of(command.split(" ")));
    words.addAll(List.of("--port", "0", "--json", "--no-docs", "--workspaces", "2000", "--store", "memory", "--exit-with-parent"));
    try {
      process = new ProcessBuilder(words).redirectError(ProcessBuilder.Redirect.INHERIT).start();
      String line = process.inputReader().readLine();
      if (line == null) throw new IllegalStateException(command + " did not start");
      return JSON.readTree(line).at("/urls/sandbox").asText();
    } catch (IOException error) {
      throw new UncheckedIOException(command + " cannot be started", error);
    }
  }
}
