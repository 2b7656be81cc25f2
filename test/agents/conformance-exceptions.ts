/**
 * Lists the checks of the conformance suite that do not apply to this server, with reasons. The suite tests servers
 * that offer its fixture tools, resources and prompts, and every optional protocol feature. It has no option to declare
 * which features a server supports.
 *
 * The test fails if an exception is no longer needed.
 */

/** Scenarios that need features this server does not offer. Their only meaningful check opens the session. */
export const scenarios: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    [
      ...['simple-text', 'image', 'audio', 'embedded-resource', 'mixed-content', 'with-logging', 'error'],
      ...['with-progress', 'sampling', 'elicitation'],
    ].map((name) => [`tools-call-${name}`, 'Calls a fixture tool of the suite.']),
  ),
  ...Object.fromEntries(
    ['list', 'read-text', 'read-binary', 'templates-read', 'subscribe', 'unsubscribe'].map((name) => [
      `resources-${name}`,
      'Reads fixture resources of the suite. This server offers tools only.',
    ]),
  ),
  ...Object.fromEntries(
    ['list', 'get-simple', 'get-with-args', 'get-embedded-resource', 'get-with-image'].map((name) => [
      `prompts-${name}`,
      'Gets fixture prompts of the suite. This server offers tools only.',
    ]),
  ),
  ...Object.fromEntries(
    [
      ...['basic-elicitation', 'basic-sampling', 'basic-list-roots', 'request-state', 'multiple-input-requests'],
      ...['multi-round', 'non-tool-request', 'result-type', 'tampered-state', 'capability-check'],
    ].map((name) => [
      `input-required-result-${name}`,
      'Calls a fixture tool of the suite. No tool of this server asks the user for input.',
    ]),
  ),
  ...Object.fromEntries(
    [
      ...['lifecycle', 'capability-negotiation', 'wire-fields', 'request-state-removal', 'mrtr-input'],
      ...['request-headers', 'dispatch-and-envelope', 'required-task-error', 'mrtr-composition'],
    ].map((name) => [`tasks-${name}`, 'Belongs to the tasks extension, which this server does not offer.']),
  ),
  'logging-set-level': 'This server sends no log messages to agents.',
  'completion-complete': 'This server has no prompts or resources, whose arguments could be completed.',
  'elicitation-sep1034-defaults': 'Calls a fixture tool of the suite. No tool of this server asks the user for input.',
  'elicitation-sep1330-enums': 'Calls a fixture tool of the suite. No tool of this server asks the user for input.',
  'json-schema-2020-12': 'Looks for a fixture tool of the suite.',
  'http-custom-header-server-validation': 'No tool of this server takes an argument from a header.',
};

const fixture = 'Calls a fixture tool of the suite.';
const noSubscriptions = 'The tools of a server never change, so it refuses subscriptions.';
const toolsOnly = 'This server offers tools only.';

/** Individual checks to skip in scenarios that otherwise apply. */
export const checks: Readonly<Record<string, string>> = {
  'sep-2575-server-rejects-undeclared-capability': fixture,
  'sep-2575-missing-capability-http-400': fixture,
  'sep-2575-http-server-no-independent-requests-on-stream': fixture,
  'sep-2575-server-no-log-without-loglevel': fixture,
  'sep-2575-server-sends-subscription-ack': noSubscriptions,
  'sep-2575-server-tags-subscription-id': noSubscriptions,
  'sep-2549-prompts-list-caching-hints': toolsOnly,
  'sep-2549-resources-list-caching-hints': toolsOnly,
  'sep-2549-resources-templates-list-caching-hints': toolsOnly,
};
