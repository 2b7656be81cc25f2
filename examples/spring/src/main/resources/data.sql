-- Three demo customers in an empty ledger.
INSERT INTO customer (
    uid, name, email, mobile_no, dob, address1, address2, city, pincode, state, cus_type, partner_type, pan, pan_verified_status, mdate,
    project_name, project_id, earned
)
SELECT
    'CUST000' || n, 'Demo Customer ' || n, 'customer' || n || '@example.com', '500000000' || n, '14/08/1991', '12 Lake View Road', '',
    'Bengaluru', 560038, 29, 'INDIVIDUAL', 'RETAIL', 'ABCXI1234K', 'VERIFIED', '', 'Demo Rewards', 101, 10000
FROM (VALUES (1), (2), (3)) AS demo (n)
WHERE NOT EXISTS (SELECT 1 FROM customer);
