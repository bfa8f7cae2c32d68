import { classes } from '../../../ui/layout/classes';
import { t } from '../language/strings';
import { zoned } from '../parts/zoned';
import style from './evacuation.module.css';
import type { Presence } from './presence';

/** Everybody who is on site, by name, with a box to tick: on paper, or on the screen when nothing else works. */
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
    <section className={style.evacuation} aria-label={t.evacuation.label}>
      <header>
        <h2>{t.evacuation.title(site.name)}</h2>
        <p>{t.evacuation.about(<strong>{day(at)}</strong>, timeZone.replaceAll('_', ' '), here.length)}</p>
      </header>
      <ol className={classes(style.people, here.length > 40 && style.many)}>
        {here.map(({ userId, name, since, deviceName, isOnBreak, isStale }) => (
          <li key={userId}>
            <label>
              <input type="checkbox" />
              <strong>
                <bdi>{name}</bdi>
              </strong>
              <small>
                {[time(since), deviceName, isOnBreak && t.evacuation.onBreak, isStale && t.evacuation.stale]
                  .filter(Boolean)
                  .join(', ')}
              </small>
            </label>
          </li>
        ))}
      </ol>
      <footer>
        <p>{t.evacuation.missing}</p>
        <p className={style.line}>{t.evacuation.found}</p>
        <p className={style.line}>{t.evacuation.signature}</p>
      </footer>
    </section>
  );
}
