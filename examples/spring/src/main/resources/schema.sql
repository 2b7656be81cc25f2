CREATE TABLE IF NOT EXISTS customer (
    uid VARCHAR(255) PRIMARY KEY,
    name VARCHAR(255) NOT NULL,
    email VARCHAR(255) NOT NULL,
    mobile_no VARCHAR(20) NOT NULL,
    dob VARCHAR(10) NOT NULL,
    address1 VARCHAR(255) NOT NULL,
    address2 VARCHAR(255) NOT NULL,
    city VARCHAR(255) NOT NULL,
    pincode INT NOT NULL,
    state INT NOT NULL,
    cus_type VARCHAR(20) NOT NULL,
    partner_type VARCHAR(20) NOT NULL,
    pan VARCHAR(10) NOT NULL,
    pan_verified_status VARCHAR(20) NOT NULL,
    mdate VARCHAR(10) NOT NULL,
    project_name VARCHAR(255) NOT NULL,
    project_id INT NOT NULL,
    earned BIGINT DEFAULT 0 NOT NULL,
    redeemed BIGINT DEFAULT 0 NOT NULL,
    CHECK (redeemed <= earned)
);

-- Each credit with its request, which a repeat must match.
CREATE TABLE IF NOT EXISTS credit (
    transaction_id VARCHAR PRIMARY KEY,
    request VARCHAR NOT NULL
);

-- A redemption that was rejected before its deduction has no uid.
CREATE TABLE IF NOT EXISTS redemption (
    redeem_code VARCHAR PRIMARY KEY,
    uid VARCHAR(255) REFERENCES customer,
    state VARCHAR(10) NOT NULL CHECK (state IN ('PENDING', 'DELIVERED', 'REJECTED')),
    points BIGINT NOT NULL,
    request VARCHAR
);

-- Only the newest code of a customer is valid. Times are in milliseconds.
CREATE TABLE IF NOT EXISTS one_time_password (
    id BIGINT GENERATED ALWAYS AS IDENTITY,
    reference VARCHAR(36) PRIMARY KEY,
    uid VARCHAR(255) NOT NULL REFERENCES customer,
    digest VARCHAR(64) NOT NULL,
    made_at BIGINT NOT NULL,
    tries INT DEFAULT 0 NOT NULL,
    used BOOLEAN DEFAULT FALSE NOT NULL
);
CREATE INDEX IF NOT EXISTS one_time_password_of_customer ON one_time_password (uid, id);
