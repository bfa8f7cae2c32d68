import style from './parts.module.css';

/** The parts twice: a frame's `color-scheme` decides which scheme its page prefers. */
export const BothSchemes = () => (
  <div className={style.schemes}>
    <iframe className={style.light} src="?all" title="Light" />
    <iframe className={style.dark} src="?all" title="Dark" />
  </div>
);
