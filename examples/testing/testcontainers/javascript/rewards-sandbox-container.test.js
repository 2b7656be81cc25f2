/** Tests that need no container engine. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RewardsSandboxContainer } from './rewards-sandbox-container.js';

class Inspectable extends RewardsSandboxContainer {
  get details() {
    return { image: this.imageName.string, ports: this.exposedPorts, environment: this.environment };
  }
}

test('a container has the image, its port, a token of its own and a frozen clock', () => {
  const { image, ports, environment } = new Inspectable().details;
  assert.deepEqual({ image, ports }, { image: 'rewards-sandbox:latest', ports: [4010] });
  assert.equal(environment.REWARDS_SANDBOX_CLOCK, 'frozen');
  const another = new Inspectable().details.environment;
  assert.notEqual(environment.REWARDS_SANDBOX_ADMIN_TOKEN, another.REWARDS_SANDBOX_ADMIN_TOKEN);
});

test('withClientServer points the platform at a port of this machine, and allows the networks of containers', () => {
  const { environment } = new Inspectable().withClientServer(8080, 'token-of-the-service').details;
  assert.equal(environment.REWARDS_SANDBOX_CLIENT_URL, 'http://host.testcontainers.internal:8080');
  assert.equal(environment.REWARDS_SANDBOX_CLIENT_TOKEN, 'token-of-the-service');
  assert.equal(environment.REWARDS_SANDBOX_ALLOW_ADDRESS, '172.16.0.0/12,192.168.0.0/16');
});
