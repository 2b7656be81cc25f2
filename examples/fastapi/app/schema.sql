-- The columns of a customer's profile have the names of the contract.
CREATE TABLE IF NOT EXISTS customer (
    uid TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    email TEXT NOT NULL,
    mobileNo TEXT NOT NULL,
    dob TEXT NOT NULL,
    address1 TEXT NOT NULL,
    address2 TEXT NOT NULL,
    city TEXT NOT NULL,
    pincode INTEGER NOT NULL,
    state INTEGER NOT NULL,
    cus_type TEXT NOT NULL,
    partnerType TEXT NOT NULL,
    pan TEXT NOT NULL,
    panVerifiedStatus TEXT NOT NULL,
    mdate TEXT NOT NULL,
    projectName TEXT NOT NULL,
    projectId INTEGER NOT NULL,
    earned INTEGER NOT NULL,
    redeemed INTEGER NOT NULL DEFAULT 0,
    CHECK (redeemed BETWEEN 0 AND earned)
);

-- Each credit with its request, which a repeat must match.
CREATE TABLE IF NOT EXISTS credit (
    transaction_id TEXT PRIMARY KEY,
    request TEXT NOT NULL
);

-- Each redemption with its request. One that was rejected before its deduction has only a state.
CREATE TABLE IF NOT EXISTS redemption (
    redeem_code TEXT PRIMARY KEY,
    state TEXT NOT NULL CHECK (state IN ('Pending', 'Delivered', 'Rejected')),
    uid TEXT REFERENCES customer,
    points INTEGER,
    request TEXT
);

-- Only the newest code of a customer is valid. Times are seconds since 1970.
CREATE TABLE IF NOT EXISTS one_time_password (
    id INTEGER PRIMARY KEY,
    reference TEXT NOT NULL UNIQUE,
    uid TEXT NOT NULL REFERENCES customer,
    digest TEXT NOT NULL,
    made_at REAL NOT NULL,
    tries INTEGER NOT NULL DEFAULT 0,
    used INTEGER NOT NULL DEFAULT 0
);
CREATE INDEX IF NOT EXISTS one_time_password_of_customer ON one_time_password (uid, id);

-- The consecutive failures of a customer, over all codes.
CREATE TABLE IF NOT EXISTS sign_in_failure (
    uid TEXT PRIMARY KEY REFERENCES customer,
    failures INTEGER NOT NULL,
    locked_until REAL NOT NULL DEFAULT 0
);

-- Three demo customers.
WITH demo (number) AS (VALUES (1), (2), (3))
INSERT OR IGNORE INTO customer
SELECT
    'CUST000' || number, 'Demo Customer ' || number, 'customer' || number || '@example.com', '500000000' || number, '14/08/1991',
    '12 Lake View Road', '', 'Bengaluru', 560038, 29, 'INDIVIDUAL', 'RETAIL', 'ABCXI1234K', 'VERIFIED', '', 'Demo Rewards', 101,
    10000, 0
FROM demo;
