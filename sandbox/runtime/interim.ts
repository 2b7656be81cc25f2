import type { Dispatcher } from 'undici';

/** Most interim replies (1xx) that are taken before an answer. Nobody needs more than a few. */
const mostInterim = 20;

/**
 * Breaks a call off whose other side sends interim replies and no answer: read as fast as they can come, they hold up
 * everybody else.
 */
export function withoutFlood(dispatch: Dispatcher.Dispatch): Dispatcher.Dispatch {
  return (options, handler) => {
    let interim = 0;
    const bounded: Dispatcher.DispatchHandler = Object.create(handler);
    bounded.onResponseStart = (controller, status, ...rest) => {
      if (status < 200) interim += 1;
      if (interim > mostInterim) {
        controller.abort(new Error(`more than ${mostInterim} interim replies (1xx) came, and no answer`));
      } else handler.onResponseStart?.call(bounded, controller, status, ...rest);
    };
    return dispatch(options, bounded);
  };
}
