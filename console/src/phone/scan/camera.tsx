import { QRCanvas, rearCamera } from 'qr/dom.js';
import { useEffect, useRef, useState } from 'react';
import { Notice } from '../../ui/layout/surface';
import style from './camera.module.css';

/** Often enough for a hand that holds still, seldom enough for a battery. */
const EVERY_MS = 120;

const TROUBLE: Readonly<Record<string, string>> = {
  NotAllowedError:
    'This page may not use the camera. Allow it in the browser’s settings for this site and come back, or paste the code below.',
  NotFoundError: 'There is no camera here. Paste the code below.',
  OverconstrainedError: 'There is no camera here that fits. Paste the code below.',
  NotReadableError:
    'The camera is in use by another program. Close that and come back, or paste the code below.',
};
const NO_CAMERA =
  'This browser offers this page no camera: it may need https, or another browser. Paste the code below.';

/** The camera's picture, and the text of the first code in it that `onText` takes. */
export function Camera({ onText }: { readonly onText: (text: string) => void }) {
  const video = useRef<HTMLVideoElement>(null);
  const found = useRef(onText);
  found.current = onText;
  const [trouble, setTrouble] = useState<string>();
  useEffect(() => {
    const stop = new AbortController();
    watch(video.current as HTMLVideoElement, (text) => found.current(text), stop.signal).catch(
      (error: unknown) => {
        if (!stop.signal.aborted) setTrouble(TROUBLE[(error as Error).name] ?? NO_CAMERA);
      },
    );
    return () => stop.abort();
  }, []);
  if (trouble) return <Notice tone="warn">{trouble}</Notice>;
  return <video ref={video} className={style.camera} muted playsInline aria-label="What the camera sees" />;
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
      await new Promise((resolve) => setTimeout(resolve, EVERY_MS));
    }
  } finally {
    camera.stop();
  }
}
