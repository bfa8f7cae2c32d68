import style from './sparkline.module.css';

const WIDTH = 92;
const HEIGHT = 34;

/** A line without axes, beside the figure that it explains. Values that are null are left out. */
export function Sparkline({
  values,
  tone,
}: {
  readonly values: readonly (number | null)[];
  readonly tone?: 'bad' | undefined;
}) {
  const known = values.flatMap((value, at) => (value === null ? [] : [{ value, at }]));
  if (known.length < 2) return null;
  const [low, high] = [Math.min, Math.max].map((of) => of(...known.map(({ value }) => value))) as [
    number,
    number,
  ];
  const points = known.map(({ value, at }) => {
    const x = (at / (values.length - 1)) * WIDTH;
    // A line without a rise is drawn in the middle.
    const y = high === low ? HEIGHT / 2 : HEIGHT - 3 - ((value - low) / (high - low)) * (HEIGHT - 6);
    return `${x.toFixed(1)} ${y.toFixed(1)}`;
  });
  const [first, last] = [points[0] as string, points.at(-1) as string];
  const [x = '', y = ''] = last.split(' ');
  return (
    <svg className={style.line} data-tone={tone} viewBox={`0 0 ${WIDTH} ${HEIGHT}`} aria-hidden="true">
      <path
        className={style.area}
        d={`M${points.join('L')}L${x} ${HEIGHT}L${first.split(' ')[0]} ${HEIGHT}Z`}
      />
      <path className={style.stroke} d={`M${points.join('L')}`} />
      <circle cx={x} cy={y} r={2.5} />
    </svg>
  );
}
