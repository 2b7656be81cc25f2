/** Lines of JSON-RPC: what is no request, too long or too much (OP-221). */
import { expect, it } from 'vitest';
import { RpcError, rpcLimits, serveLines } from '../../sandbox/agents/json-rpc.ts';

/** What is answered to some chunks of input. */
async function answered(
  chunks: readonly string[],
  answer = async (method: string): Promise<unknown> => ({ method }),
  onLine: () => void = () => {},
) {
  const lines: unknown[] = [];
  async function* input() {
    yield* chunks;
  }
  await serveLines(input(), answer, (line) => {
    lines.push(JSON.parse(line));
    onLine();
  });
  return lines;
}

const request = (id: unknown, method = 'ping') => `${JSON.stringify({ jsonrpc: '2.0', id, method })}\n`;

it('a request is answered under its id, however its line is cut, also without a last newline', async () => {
  const text = `${request(1)}${request('two')}`.trimEnd();
  const wanted = [
    { jsonrpc: '2.0', id: 1, result: { method: 'ping' } },
    { jsonrpc: '2.0', id: 'two', result: { method: 'ping' } },
  ];
  expect(await answered([text])).toEqual(wanted);
  expect(await answered([...text])).toEqual(wanted);
});

it('a notification is not answered, nor an empty line', async () => {
  expect(await answered(['{"jsonrpc":"2.0","method":"notifications/initialized"}\n\n'])).toEqual([]);
});

it.each(['nonsense', '[]', 'null', '{"id":1}', '{"id":1,"method":2}'])('%s is refused as no request', async (line) => {
  expect(await answered([`${line}\n`, request(2)])).toEqual([
    { jsonrpc: '2.0', id: null, error: { code: -32700, message: 'A line is not a JSON object with a method.' } },
    { jsonrpc: '2.0', id: 2, result: { method: 'ping' } },
  ]);
});

it('OP-221: a line of more than 1 MiB is refused, not kept, and the next is answered', async () => {
  const long = 'x'.repeat(rpcLimits.line / 2 + 1);
  expect(await answered([long, long, `${long}\n`, request(2)])).toEqual([
    {
      jsonrpc: '2.0',
      id: null,
      error: { code: -32700, message: `A line is longer than ${rpcLimits.line} characters.` },
    },
    { jsonrpc: '2.0', id: 2, result: { method: 'ping' } },
  ]);
});

it('OP-221: of more than 32 requests at once the rest is refused, and a failure keeps its code', async () => {
  const refused = Promise.withResolvers<void>();
  const lines = Array.from({ length: rpcLimits.atOnce + 1 }, (_, id) => request(id));
  const all = answered(
    [lines.join('')],
    async () => {
      await refused.promise;
      throw new RpcError(-32601, 'no such method');
    },
    refused.resolve,
  );
  const errors = (await all) as { id: number; error: { code: number } }[];
  expect(errors[0]).toMatchObject({ id: rpcLimits.atOnce, error: { code: -32000 } });
  expect(errors.slice(1).map(({ error }) => error.code)).toEqual(Array(rpcLimits.atOnce).fill(-32601));
});
