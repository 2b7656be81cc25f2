package com.example.rewards;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.github.dockerjava.api.command.InspectContainerResponse;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Map;
import java.util.UUID;
import org.testcontainers.Testcontainers;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.containers.wait.strategy.Wait;
import org.testcontainers.utility.DockerImageName;

/**
 * A rewards sandbox in a container: one workspace with a frozen clock. Copy this file. It needs Java 17, Testcontainers 2, Jackson and
 * the image of {@code examples/container/}.
 */
public class RewardsSandboxContainer extends GenericContainer<RewardsSandboxContainer> {
  /** The image to run. Build it with {@code docker build -t rewards-sandbox .} in {@code examples/container/}. */
  public static final DockerImageName IMAGE = DockerImageName.parse("rewards-sandbox");

  private static final int PORT = 4010;
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final HttpClient HTTP = HttpClient.newHttpClient();

  /** Docker's default networks. The name {@code host.testcontainers.internal} resolves to an address in one of them. */
  private static final String CONTAINER_NETWORKS = "172.16.0.0/12,192.168.0.0/16";

  private final String adminToken = UUID.randomUUID().toString();
  private Integer hostPort;
  private JsonNode workspace;

  public RewardsSandboxContainer() {
    this(IMAGE);
  }

  public RewardsSandboxContainer(DockerImageName image) {
    super(image);
    withExposedPorts(PORT);
    withEnv("REWARDS_SANDBOX_ADMIN_TOKEN", adminToken);
    withEnv("REWARDS_SANDBOX_CLOCK", "frozen");
    waitingFor(Wait.forHttp("/sandbox/v1/health").forPort(PORT));
  }

  /**
   * Makes the platform call your client server on this machine instead of the reference client. Start your server first.
   *
   * @param port port of your server
   * @param serviceToken token that your server expects from the platform
   */
  public RewardsSandboxContainer withClientServer(int port, String serviceToken) {
    hostPort = port;
    withAccessToHost(true);
    withEnv("REWARDS_SANDBOX_CLIENT_URL", "http://host.testcontainers.internal:" + port);
    withEnv("REWARDS_SANDBOX_CLIENT_TOKEN", serviceToken);
    return withEnv("REWARDS_SANDBOX_ALLOW_ADDRESS", CONTAINER_NETWORKS);
  }

  @Override
  protected void configure() {
    // Without this, the sandbox refuses calls to an engine on another machine, such as "docker" in GitLab CI.
    withEnv("REWARDS_SANDBOX_ALLOW_HOST", getHost());
    if (hostPort != null) Testcontainers.exposeHostPorts(hostPort);
  }

  @Override
  protected void containerIsStarted(InspectContainerResponse container) {
    workspace = call("GET", origin() + "/sandbox/v1/workspace", null, "Authorization", "Bearer " + adminToken);
  }

  /** Returns the address of the platform's API. */
  public String platformUrl() {
    return url("rewards");
  }

  /**
   * Returns the address of an API as this machine reaches it: rewards, client, general, gateway, sandbox, microsite,
   * dashboard.
   */
  public String url(String api) {
    return origin() + URI.create(workspace().at("/urls/" + api).asText()).getPath();
  }

  /** Returns the workspace with its credentials. */
  public JsonNode workspace() {
    if (workspace == null) throw new IllegalStateException("The workspace was not read: start the container first.");
    return workspace;
  }

  /** Returns the admin token of the control API. */
  public String adminToken() {
    return adminToken;
  }

  /** Signs in as the company. Returns the token for the platform's API. */
  public String companyToken() {
    var secret = Map.of("secret", workspace().at("/credentials/company_secret").asText());
    return call("POST", platformUrl() + "/v1/company/auth", secret).get("token").asText();
  }

  /** Calls the control API, for example with the path {@code /clock/advance}. Fails if the sandbox refuses the call. */
  public JsonNode control(String method, String path, Object body) {
    return call(method, url("sandbox") + path, body, "Authorization", "Bearer " + adminToken);
  }

  private String origin() {
    return "http://" + getHost() + ":" + getMappedPort(PORT);
  }

  private static JsonNode call(String method, String url, Object body, String... headers) {
    try {
      var content = body == null ? BodyPublishers.noBody() : BodyPublishers.ofString(JSON.writeValueAsString(body));
      var request = HttpRequest.newBuilder(URI.create(url)).method(method, content).header("Content-Type", "application/json");
      if (headers.length > 0) request.headers(headers);
      var reply = HTTP.send(request.build(), BodyHandlers.ofString());
      if (reply.statusCode() >= 400) {
        throw new IllegalStateException(method + " " + url + " returned " + reply.statusCode() + ": " + reply.body());
      }
      return JSON.readTree(reply.body());
    } catch (IOException error) {
      throw new UncheckedIOException(method + " " + url + " failed", error);
    } catch (InterruptedException error) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(error);
    }
  }
}
