/** Spans that tests need and nobody reads. */
import { SeededRandom } from '../../sandbox/runtime/random.ts';
import { Spans } from '../../sandbox/runtime/spans.ts';

/** Spans that nobody is told of. */
export function testSpans(): Spans {
  return new Spans(new SeededRandom('spans'), () => 0);
}
