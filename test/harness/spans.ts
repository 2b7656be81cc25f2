/** Spans for tests that need some but read none. */
import { SeededRandom } from '../../sandbox/runtime/ids.ts';
import { Spans } from '../../sandbox/runtime/spans.ts';

/** Spans without a listener. */
export function testSpans(): Spans {
  return new Spans(new SeededRandom('spans'), () => 0);
}
