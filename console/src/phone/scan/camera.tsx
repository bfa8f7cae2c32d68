import { QRCanvas, rearCamera } from 'qr/dom.js';
import { useEffect, useRef, useState } from 'react';
import { Notice } from '../../ui/layout/surface';
import { t } from '../language/strings';
import style from './camera.module.css';

/** Short enough for a steady hand, long enough to save battery. */
const SCAN_INTERVAL_MS = 120;

/** What each error of the browser means. */
const PROBLEMS: Readonly<Record<string, keyof typeof t.errors.camera>> = {
  NotAllowedError: 'notAllowed',
  NotFoundError: 'none',
  OverconstrainedError: 'unsuitable',
  NotReadableError: 'busy',
};

/** Shows the camera's picture and calls `onText` with the text of each code in it. */
export function Camera({ onText }: { readonly onText: (text: string) => void }) {
  const video = useRef<HTMLVideoElement>(null);
  const handler = useRef(onText);
  handler.current = onText;
  const [problem, setProblem] = useState<string>();
  useEffect(() => {
    const stop = new AbortController();
    watch(video.current as HTMLVideoElement, (text) => handler.current(text), stop.signal).catch(
      (error: unknown) => {
        if (!stop.signal.aborted)
          setProblem(t.errors.camera[PROBLEMS[(error as Error).name] ?? 'unavailable']);
      },
    );
    return () => stop.abort();
  }, []);
  if (problem) return <Notice tone="warn">{problem}</Notice>;
  return <video ref={video} className={style.camera} muted playsInline aria-label={t.scanner.camera} />;
}

async function watch(
  video: HTMLVideoElement,
  onText: (text: string) => void,
  signal: AbortSignal,
): Promise<void> {
  const camera = await rearCamera(video);
  const canvas = new QRCanvas({}, { cropToSquare: false });
  let last: unknown;
  try {
    while (!signal.aborted) {
      const text = await camera.readFrame(canvas, true);
      if (typeof text === 'string' && text !== last && !signal.aborted) onText(text);
      last = text ?? last;
      await new Promise((resolve) => setTimeout(resolve, SCAN_INTERVAL_MS));
    }
  } finally {
    camera.stop();
  }
}
