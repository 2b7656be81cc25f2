import base64
import http.client
import json
import threading
import unittest
from concurrent.futures import ThreadPoolExecutor

from server import ClientServer

SETTINGS = {"SERVICE_TOKEN": "service", "BASIC_USER": "user", "BASIC_PASSWORD": "password", "OTP_LIMIT": "0"}


def record(redeem_code, points):
    total = str(points)
    return {
        "uid": "CUST0001",
        "scheme": "DEMO01",
        "redeemCode": redeem_code,
        "redeemPoints": total,
        "shippingAddress": "",
        "processingFee": "0",
        "productCode": "EGV-1",
        "productName": "Voucher",
        "quantity": "1",
        "redeemStatus": "pending",
        "email": "",
        "mobileNo": "",
        "totalpoints": total,
        "totalPointWithProcessingFee": total,
        "tdsSingleItem": "0",
    }


class ServerTest(unittest.TestCase):
    def setUp(self):
        self.server = ClientServer(0, SETTINGS)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.addCleanup(self.server.stop)

    def call(self, path, body=None, authorization="Bearer service"):
        connection = http.client.HTTPConnection("127.0.0.1", self.server.server_port, timeout=15)
        headers = {"Authorization": authorization, "Content-Type": "application/json"}
        connection.request("POST", path, None if body is None else json.dumps(body), headers)
        reply = connection.getresponse()
        answer = json.loads(reply.read())
        connection.close()
        return reply.status, answer

    def balance(self):
        return self.call("/getProfileAndPoints?uid=CUST0001")[1]["points"]["balance"]

    def save(self, redeem_code, points=500):
        status, body = self.call("/saveRedeemDetails", record(redeem_code, points))
        return status, body.get("data", {}).get("message")

    def report(self, code, status):
        body = {"redeemCode": code, "status": status, "orderStatus": status, "remark": "", "projectCode": "DEMO01"}
        answered, reply = self.call("/updateRedeemStatus", body)
        return answered, reply.get("data", {}).get("message")

    def test_points_are_credited_once_for_each_transaction_id(self):
        event = {"uid": "CUST0001", "eventType": "DIGITAL_PAYMENT", "transactionId": "T1", "paymentAmount": "10"}
        self.assertEqual(self.call("/creditPoints", {**event, "points": "7"})[0], 200)
        self.assertEqual(self.call("/creditPoints", {**event, "points": "7"})[0], 200)
        self.assertEqual(self.call("/creditPoints", {**event, "points": "8"})[0], 422)
        self.assertEqual(self.balance(), 10_007)

    def test_a_deduction_is_taken_once_and_given_back_once_on_rejected(self):
        self.assertEqual(self.save("R1"), (200, None))
        self.assertEqual(self.save("R1"), (200, None))
        self.assertEqual(self.balance(), 9_500)
        self.assertEqual(self.report("R1", "Rejected"), (200, None))
        self.assertEqual(self.report("R1", "Rejected"), (200, None))
        self.assertEqual(self.balance(), 10_000)
        self.assertEqual(self.report("R1", "Delivered"), (422, "Order already Rejected."))

    def test_a_deduction_that_comes_after_its_rejection_is_refused(self):
        self.assertEqual(self.report("R2", "Rejected"), (422, "Unknown redeemCode."))
        self.assertEqual(self.save("R2"), (422, "Order already Rejected."))
        self.assertEqual(self.balance(), 10_000)

    def test_deductions_at_the_same_time_never_go_below_zero(self):
        with ThreadPoolExecutor(20) as pool:
            answers = list(pool.map(lambda number: self.save(f"R{number}", 1_000), range(20)))
        self.assertEqual(sorted(status for status, _ in answers), [200] * 10 + [422] * 10)
        self.assertEqual(self.balance(), 0)

    def test_a_token_that_does_not_hold_is_422_token_invalid(self):
        for authorization in ("", "Bearer x", "Bearer a.b.c"):
            status, body = self.call("/getProfileAndPoints?uid=CUST0001", None, authorization)
            self.assertEqual((status, body["data"]["message"]), (422, "Token Invalid"))

    def test_a_one_time_password_that_nobody_was_sent_does_not_sign_in(self):
        basic = "Basic " + base64.b64encode(b"user:password").decode()
        body = {"customer_id": "CUST0001", "otp": "000000", "reference_id": "x"}
        self.assertEqual(self.call("/api/v1/auth/verify-otp", body, basic)[0], 422)
        self.assertEqual(self.call("/api/v1/auth/verify-otp", body, "Basic x")[0], 401)


if __name__ == "__main__":
    unittest.main()
