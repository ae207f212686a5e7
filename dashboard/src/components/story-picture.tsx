import { useState } from "react";

/**
 * A story's picture from its own host, or nothing: only https, without telling that host the page (Referer), and loaded
 * when it comes into view. One that does not load leaves no trace, and is told to `onBroken`.
 */
export function StoryPicture(props: { url: string; className: string | undefined; onBroken?: (url: string) => void }) {
  const { url, className, onBroken } = props;
  const [broken, setBroken] = useState("");
  if (!url.startsWith("https://") || broken === url) return null;
  return (
    <img
      src={url}
      alt=""
      className={className}
      loading="lazy"
      decoding="async"
      referrerPolicy="no-referrer"
      onError={() => {
        setBroken(url);
        onBroken?.(url);
      }}
    />
  );
}
