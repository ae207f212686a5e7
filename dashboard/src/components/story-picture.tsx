import { useState } from "react";

/**
 * A story's picture from its own host, only with https. It does not tell that host the page (Referer), and loads when
 * it comes into view. A picture that does not load is not shown, and `onBroken` is called with its URL.
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
