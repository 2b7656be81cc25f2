"""Signs the company in and prints the first page of the catalogue, with the client of openapi-python-client."""

import json
import os

from rewards import AuthenticatedClient, Client
from rewards.api.catalogue import list_rewards
from rewards.api.sign_in import company_auth
from rewards.models import CataloguePage, CompanyCredentials, CompanyToken

url = os.environ["REWARDS_URL"]
secret = os.environ["COMPANY_SECRET"]

signed_in = company_auth.sync(client=Client(base_url=url), body=CompanyCredentials(secret=secret))
assert isinstance(signed_in, CompanyToken), signed_in

page = list_rewards.sync(client=AuthenticatedClient(base_url=url, token=signed_in.token, prefix=""))
assert isinstance(page, CataloguePage), page

print(json.dumps([item.to_dict() for item in page.items]))
