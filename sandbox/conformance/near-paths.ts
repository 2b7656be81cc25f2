import { isStated } from '../contract/basis.ts';
import type { CheckedOperation } from './contracts.ts';
import { basisOfAddress } from './flaw-basis.ts';

/** The operation whose path a caller meant who called an unknown one. Only a path that the interface names has near misses. */
export function meantBy(path: string, operations: readonly CheckedOperation[]): CheckedOperation | undefined {
  return operations.find((operation) => isNearMiss(path, operation.path) && isStated(basisOfAddress(operation)));
}

/** Whether two paths differ in one letter at most, apart from upper case, slashes and `/v1`. */
function isNearMiss(path: string, other: string): boolean {
  const [one, two] = [withoutForm(path), withoutForm(other)];
  let same = 0;
  while (same < one.length && one[same] === two[same]) same += 1;
  const [left, right] = [one.slice(same), two.slice(same)];
  const isSwapped = left[0] === right[1] && left[1] === right[0] && left.slice(2) === right.slice(2);
  return left.slice(1) === right.slice(1) || left.slice(1) === right || left === right.slice(1) || isSwapped;
}

function withoutForm(path: string): string {
  const segments = path.toLowerCase().split('/');
  return segments.filter((segment) => segment !== '' && segment !== 'v1').join('/');
}
