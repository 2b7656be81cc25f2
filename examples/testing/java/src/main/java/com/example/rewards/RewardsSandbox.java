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
 * A rewards sandbox in JUnit 5: one process for the whole run, a workspace of its own for each test that has a parameter of type
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
 * The sandbox is started by the command in REWARDS_SANDBOX_COMMAND ("rewards-sandbox" where it is not set), or is the running one
 * whose control API REWARDS_SANDBOX_URL names, such as http://127.0.0.1:4010/sandbox/v1. Needs Java 17, JUnit 5.8 or newer and Jackson.
 */
public final class RewardsSandbox implements ParameterResolver, AfterTestExecutionCallback, AfterEachCallback {
  private static final Namespace NAMESPACE = Namespace.create(RewardsSandbox.class);
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final HttpClient HTTP = HttpClient.newHttpClient();
  /** Kept, since its standard input closes with it, and ends the sandbox. */
  private static Process process;

  /** The result of a call. {@code body} is a missing node where there is no JSON. */
  public record Answer(int status, JsonNode body, String text) {}

  /** Makes a call, with {@code body} as JSON unless it is null, and headers as name, value, name, value. An error status is an answer. */
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

  /** Makes a call, and returns the body of its answer. Fails the test where the call is refused. */
  public static JsonNode accepted(String method, String url, Object body, String... headers) {
    var answer = call(method, url, body, headers);
    if (answer.status() >= 400) {
      throw new AssertionError(method + " " + url + " returned " + answer.status() + ": " + answer.text());
    }
    return answer.body();
  }

  /** One test's own sandbox: customers, catalogue, ledger, clock and credentials that nobody else has. */
  public static final class Workspace {
    private final JsonNode made;

    private Workspace(JsonNode made) {
      this.made = made;
    }

    /** The address of one of its APIs: rewards, client, sandbox, general, gateway. */
    public String url(String api) {
      return made.at("/urls/" + api).asText();
    }

    /** A credential by its place, such as {@code /company_secret} or {@code /basic/password}. */
    public String credential(String pointer) {
      return made.at("/credentials" + pointer).asText();
    }

    /** Calls the control API. Returns the body; fails the test where the call is refused. */
    public JsonNode control(String method, String path, Object body) {
      String admin = "Bearer " + made.get("admin_token").asText();
      return accepted(method, url("sandbox") + path, body, "Authorization", admin);
    }

    /** What your server shows the platform. */
    public String companyToken() {
      var secret = Map.of("secret", credential("/company_secret"));
      return accepted("POST", url("rewards") + "/v1/company/auth", secret).get("token").asText();
    }

    /** Orders one item with the company token, as your server does. Fails the test where the order is refused. */
    public JsonNode order(String uid, String sku) {
      var body = Map.of("uid", uid, "line_items", List.of(Map.of("sku", sku, "quantity", 1)));
      return accepted("POST", url("rewards") + "/v1/partner/redeemptiononskus", body, "Authorization", companyToken());
    }

    /** Has the platform call your own client server in place of the reference client. */
    public void pointAt(String clientUrl, String serviceToken) {
      var settings = Map.of("client_url", clientUrl, "client_token", serviceToken);
      control("PATCH", "/workspace", Map.of("settings", settings));
    }

    /** Moves the clock on, and runs what falls due on the way: deliveries, reversals, credits. */
    public void advance(int seconds) {
      control("POST", "/clock/advance", Map.of("seconds", seconds));
    }

    /** Balance and entries of a customer, as the client has them. */
    public JsonNode ledger(String uid) {
      return control("GET", "/ledger/" + uid, null);
    }

    /** Fails where points of platform and client differ, or something is left over. */
    public void assertBooksEven() {
      JsonNode differences = control("GET", "/reconciliation", null);
      if (!differences.get("items").isEmpty() || !differences.get("next").isNull()) {
        throw new AssertionError("the ledgers differ: " + differences.toPrettyString());
      }
    }

    /** Fails if a call of this test, by either side, violates the interface. */
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

  /** A workspace with a paused clock. It is removed with the test. */
  @Override
  public Workspace resolveParameter(ParameterContext parameter, ExtensionContext context) {
    var store = context.getStore(NAMESPACE);
    return store.getOrComputeIfAbsent(Workspace.class, type -> newWorkspace(running(context)), Workspace.class);
  }

  /** At the end of a passed test its ledgers must agree. */
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

  /** The sandbox of this run; the first test that asks starts it. It ends with the JVM, also where that is killed. */
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
