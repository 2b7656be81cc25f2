/** Provides spans for tests that need some but do not read them. */
import { SeededRandom } from '../../sandbox/runtime/ids.ts';
import { Spans } from '../../sandbox/runtime/spans.ts';

/** Creates spans without a listener. */
export function testSpans(): Spans {
  return new Spans(new SeededRandom('spans'), () => 0);
}
