/** The flags to look at. Who came today and is still there has not forgotten to go. `today` is YYYY-MM-DD at the site. */
export const shownFlags = <F extends { readonly code: string; readonly date: string }>(
  flags: readonly F[],
  today: string,
): readonly F[] =>
  flags.filter(({ code, date }) => date !== today || (code !== 'open_shift' && code !== 'open_break'));
