import java.util.stream.Collectors;
import org.openapitools.client.ApiClient;
import org.openapitools.client.api.CatalogueApi;
import org.openapitools.client.api.SignInApi;
import org.openapitools.client.model.CompanyCredentials;

/** Signs the company in and prints the first page of the catalogue, with the client of OpenAPI Generator. */
public class List {
    public static void main(String[] args) throws Exception {
        ApiClient client = new ApiClient();
        client.setBasePath(System.getenv("REWARDS_URL"));
        CompanyCredentials credentials = new CompanyCredentials().secret(System.getenv("COMPANY_SECRET"));
        client.setApiKey(new SignInApi(client).companyAuth(credentials).getToken());
        System.out.println(
            new CatalogueApi(client).listRewards(null, null, null).getItems().stream()
                .map(item -> item.toJson())
                .collect(Collectors.joining(",", "[", "]")));
    }
}
