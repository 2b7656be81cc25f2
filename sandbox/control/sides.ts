/** How one side's view of a redemption is shown: null where it knows of none. */
export function sideOf<State extends string>(side: { readonly state: State; readonly points: number } | undefined) {
  return side === undefined ? null : { state: side.state, points: side.points };
}
