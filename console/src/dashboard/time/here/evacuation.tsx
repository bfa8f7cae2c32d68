import { zoned } from '../parts/zoned';
import style from './here.module.css';
import type { Presence } from './presence';

/** What is printed: everybody who is on site, by name, with a box to tick. */
export function Evacuation({
  of: { site, at, here },
  timeZone,
}: {
  readonly of: Presence;
  readonly timeZone: string;
}) {
  const time = zoned(timeZone, { hour: '2-digit', minute: '2-digit' });
  const day = zoned(timeZone, { dateStyle: 'full', timeStyle: 'short' });
  return (
    <section className={style.evacuation} aria-label="Evacuation list">
      <header>
        <h2>Who is on site: {site.name}</h2>
        <p>
          List of <strong>{day(at)}</strong> ({timeZone.replaceAll('_', ' ')}), {here.length}{' '}
          {here.length === 1 ? 'person' : 'people'}
        </p>
      </header>
      <ol data-many={here.length > 40}>
        {here.map(({ userId, name, since, deviceName, isOnBreak, isStale }) => (
          <li key={userId}>
            <span className={style.box} />
            <strong>
              <bdi>{name}</bdi>
            </strong>
            <small>
              {[time(since), deviceName, isOnBreak && 'on a break', isStale && 'more than 16 hours']
                .filter(Boolean)
                .join(', ')}
            </small>
          </li>
        ))}
      </ol>
      <footer>
        <p>Visitors, and people who did not clock in at a desk, are not on this list.</p>
        <p className={style.line}>All found at</p>
        <p className={style.line}>Name and signature</p>
      </footer>
    </section>
  );
}
