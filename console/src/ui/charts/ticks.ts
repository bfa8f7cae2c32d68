/** From 0 to at least `most` in three to five steps of 1, 2 or 5 times a power of ten, all whole numbers. */
export function ticksUpTo(most: number): readonly number[] {
  const power = 10 ** Math.floor(Math.log10(Math.max(1, most / 4)));
  const step = [1, 2, 5, 10].map((times) => times * power).find((size) => size * 5 >= most) as number;
  return Array.from({ length: Math.ceil(most / step) + 1 }, (_, at) => at * step);
}
