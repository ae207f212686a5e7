"""Calls the API of a Pressbell service: create, send and follow web-push campaigns.

Python 3.9 and later, without dependencies. One file, to be copied. docs/client.md in Pressbell's repository describes
it. License: MIT.
"""

from __future__ import annotations

import json
import random
import re
import time
import uuid
from collections.abc import Iterator
from datetime import datetime, timezone
from email.utils import mktime_tz, parsedate_tz
from http.client import HTTPException, HTTPMessage
from typing import Any, Callable, Optional, Union
from urllib.error import HTTPError
from urllib.parse import quote, urlencode
from urllib.request import HTTPRedirectHandler, Request, build_opener

_MAX_RETRY_SECONDS = 10.0
# Answers of a proxy or the service that say nothing of whether the request was taken.
_PASSING = (502, 503, 504)


class PressbellError(Exception):
    """A refusal: the service, or a proxy before it, answered with an error.

    code: a code of docs/errors.md. `unexpected_answer`: no answer of the API, as that of a proxy.
    status: the HTTP status.
    request_id: the id under which the service has logged the request, or None.
    faults: all wrong fields, each with `path` (a JSON pointer) and `message`.
    details: further members of the answer, such as `scope`, `from` or `allowed`.
    retry_after_seconds: how long the service asks to wait before the next request, or None.
    """

    def __init__(
        self,
        message: str,
        code: str,
        status: int,
        request_id: Optional[str],
        faults: list[dict[str, str]],
        details: dict[str, Any],
        retry_after_seconds: Optional[float],
    ) -> None:
        # All of them: an exception is copied and pickled by its arguments.
        super().__init__(message, code, status, request_id, faults, details, retry_after_seconds)
        self.message = message
        self.code = code
        self.status = status
        self.request_id = request_id
        self.faults = faults
        self.details = details
        self.retry_after_seconds = retry_after_seconds

    def __str__(self) -> str:
        return self.message


class ValidationError(PressbellError):
    """Fields are wrong: `faults` lists them (400)."""


class AuthenticationError(PressbellError):
    """The API key is missing, expired or unknown (401)."""


class ForbiddenError(PressbellError):
    """The API key may not do this, such as `scope_missing` and `tenant_mismatch` (403)."""


class ConflictError(PressbellError):
    """The state of the campaign, run or site does not allow this, such as `illegal_transition` (409)."""


class ConnectionError(Exception):
    """No answer came; `__cause__` has the reason. The request may have been taken, or not."""


class WaitTimeout(Exception):
    """The run has not ended within the time that `wait_for_run` was given. It continues."""


_classes = {400: ValidationError, 401: AuthenticationError, 403: ForbiddenError, 409: ConflictError}


class _NoRedirect(HTTPRedirectHandler):
    """Makes a redirect an error: the key would be sent to another address."""

    def redirect_request(self, *_: Any) -> None:
        return None


class Client:
    """A client of the API. Calls return the answer as a dict.

    They raise PressbellError for a refusal, ConnectionError if no answer came, and ValueError or TypeError, before any
    request, for what cannot be sent.
    """

    def __init__(
        self,
        url: str,
        api_key: str,
        tenant_id: str,
        *,
        retries: int = 4,
        timeout_seconds: float = 30.0,
        first_retry_seconds: float = 0.25,
        max_retry_after_seconds: float = 60.0,
    ) -> None:
        """Raises ValueError for options that cannot work.

        url: where the service is reached, such as `https://push.example.org`.
        api_key: the secret of an API key, `pbk_…`.
        tenant_id: the key's tenant.
        retries: how often a call is repeated where that is safe.
        timeout_seconds: for one attempt: the longest wait for the network, and for the body as a whole.
        first_retry_seconds: the wait before the first repetition; it doubles with each, to ten seconds.
        max_retry_after_seconds: a call whose service asks for a longer wait fails immediately.
        """
        if not re.fullmatch(r"https?://[^/?#]+[^?#]*", url or ""):
            raise ValueError("`url` must be the http(s) address of the service")
        # Without its value: errors are logged.
        if not re.fullmatch(r"[!-~]+", api_key or ""):
            raise ValueError("`api_key` must be the secret of an API key, pbk_…")
        if not tenant_id:
            raise ValueError("`tenant_id` must be the id of the key's tenant")
        if timeout_seconds <= 0:
            raise ValueError("`timeout_seconds` must be above 0")
        self._url = url.rstrip("/")
        self._api_key = api_key
        self._tenant_id = tenant_id
        self._retries = retries
        self._timeout_seconds = timeout_seconds
        self._first_retry_seconds = first_retry_seconds
        self._max_retry_after_seconds = max_retry_after_seconds
        self._opener = build_opener(_NoRedirect)

    def preview_story(self, story: dict[str, Any]) -> dict[str, Any]:
        """Checks a story without creating anything: `url`, `siteId` for the audience, and texts and readers as in a campaign."""
        body = {**story, "tenantId": self._tenant_id}
        return self._request("POST", "/v1/content/preview", body, repeatable=True)

    def create_campaign(self, fields: dict[str, Any], idempotency_key: Optional[str] = None) -> dict[str, Any]:
        """Creates a draft. A story that is rejected gives a campaign that is `cancelled`, with the decision.

        idempotency_key: calls with the same key have one effect, even after a crash. Without one the client makes a key
        for each call, which covers the repetitions of that call only.
        """
        return self._request("POST", self._of_tenant("campaigns"), fields, _read_key(idempotency_key))

    def send_campaign(self, campaign_id: str, idempotency_key: Optional[str] = None) -> dict[str, Any]:
        """Sends a campaign live, now."""
        return self._request("POST", _campaign(campaign_id, "/send"), None, _read_key(idempotency_key))

    def create_and_send(self, fields: dict[str, Any], idempotency_key: Optional[str] = None) -> dict[str, Any]:
        """Creates a campaign and sends it, unless its story is rejected.

        Returns the campaign, with the `runId` of its run: None if nothing is sent. A second call with the same key
        sends nothing.
        """
        key = _read_key(idempotency_key)
        campaign = self.create_campaign(fields, key)
        if campaign["status"] != "draft":
            return campaign
        return {**campaign, **self.send_campaign(campaign["campaignId"], key)}

    def read_campaign(self, campaign_id: str) -> dict[str, Any]:
        return self._request("GET", _campaign(campaign_id))

    def list_campaigns(self, filter: Optional[dict[str, Any]] = None) -> Iterator[dict[str, Any]]:
        """Yields all campaigns, newest first.

        filter: `status`, `siteId`, `externalId`, and `limit`, the size of a page.
        """
        return _list_all(self.list_campaigns_page, filter)

    def list_campaigns_page(self, filter: Optional[dict[str, Any]] = None) -> dict[str, Any]:
        """One page of them, with `nextCursor`, which the next page takes as `cursor`."""
        return self._request("GET", self._of_tenant("campaigns", filter))

    def change_campaign(self, campaign_id: str, fields: dict[str, Any]) -> dict[str, Any]:
        """Changes a draft. Not repeated after a lost answer: another's change may have come between."""
        return self._request("PATCH", _campaign(campaign_id), fields)

    def test_campaign(self, campaign_id: str) -> dict[str, Any]:
        """Sends it to the site's test devices. Not repeated after a lost answer: they would be notified twice."""
        return self._request("POST", _campaign(campaign_id, "/test"))

    def schedule_campaign(self, campaign_id: str, at: Union[datetime, str, dict[str, str]]) -> dict[str, Any]:
        """Schedules it. Not repeated after a lost answer: another's change may have come between.

        at: a moment, as a datetime with its zone or a text with its offset, or `date` and `time` where each reader is.
        """
        if isinstance(at, datetime):
            if at.utcoffset() is None:
                raise ValueError("The time of a schedule has no time zone")
            at = at.astimezone(timezone.utc).replace(tzinfo=None).isoformat(timespec="milliseconds") + "Z"
        body = {"localTime": at} if isinstance(at, dict) else {"scheduleAt": at}
        return self._request("POST", _campaign(campaign_id, "/schedule"), body)

    def cancel_campaign(self, campaign_id: str) -> dict[str, Any]:
        """Cancels it for good. Not repeated after a lost answer, because a second one is refused."""
        return self._request("POST", _campaign(campaign_id, "/cancel"))

    def update_campaign(self, campaign_id: str, fields: dict[str, Any]) -> dict[str, Any]:
        """Changes its notification on the screen: `title`, `body`, `imageUrl`.

        Not repeated after a lost answer: after another's update it would bring the old text back.
        """
        return self._request("POST", _campaign(campaign_id, "/updates"), fields)

    def list_updates(self, campaign_id: str) -> list[dict[str, Any]]:
        """The last updates of its notification, newest first."""
        return self._request("GET", _campaign(campaign_id, "/updates"))["updates"]

    def create_group(self, fields: dict[str, Any], idempotency_key: Optional[str] = None) -> dict[str, Any]:
        """Creates a campaign at each of several sites, all or none: `sites`, and the fields of a campaign."""
        return self._request("POST", self._of_tenant("campaign-groups"), fields, _read_key(idempotency_key))

    def read_group(self, group_id: str) -> dict[str, Any]:
        """The campaigns of a group with the figures of their runs, and the sums."""
        return self._request("GET", _group(group_id))

    def send_group(self, group_id: str, idempotency_key: Optional[str] = None) -> dict[str, Any]:
        """Sends each campaign of a group live, now. Says for each site what became of it."""
        return self._request("POST", _group(group_id, "/send"), None, _read_key(idempotency_key))

    def stop_group(self, group_id: str) -> dict[str, Any]:
        """Stops each run of a group that goes on. Stopping twice gives the same answer."""
        return self._request("POST", _group(group_id, "/stop"), repeatable=True)

    def read_run(self, run_id: str) -> dict[str, Any]:
        return self._request("GET", f"/v1/runs/{quote(run_id, safe='')}")

    def stop_run(self, run_id: str) -> dict[str, Any]:
        """Stops a live run. Stopping twice gives the same answer, so it is repeated after a lost one."""
        return self._request("POST", f"/v1/runs/{quote(run_id, safe='')}/stop", repeatable=True)

    def wait_for_run(
        self,
        run_id: str,
        timeout_seconds: float = 600.0,
        on_progress: Optional[Callable[[dict[str, Any]], Any]] = None,
    ) -> dict[str, Any]:
        """Reads a run until it has ended, and returns it: after 0.25 s, then less and less often, to every 5 s.

        Raises WaitTimeout if it has not ended by then: a paused site holds its runs. on_progress is called with each
        reading.
        """
        end = time.monotonic() + timeout_seconds
        poll = 0.25
        while True:
            run = self.read_run(run_id)
            if on_progress is not None:
                on_progress(run)
            if run["finishedAt"] is not None:
                return run
            if time.monotonic() + poll > end:
                raise WaitTimeout(f"The run {run_id} has not ended within {timeout_seconds} s.")
            time.sleep(poll)
            poll = min(5.0, poll * 1.5)

    def list_runs(self, filter: Optional[dict[str, Any]] = None) -> Iterator[dict[str, Any]]:
        """Yields all runs with their figures, newest first. filter: `siteId`, `since`, `limit`."""
        return _list_all(self.list_runs_page, filter)

    def list_runs_page(self, filter: Optional[dict[str, Any]] = None) -> dict[str, Any]:
        """One page of them."""
        return self._request("GET", self._of_tenant("runs", filter))

    def list_sites(self, filter: Optional[dict[str, Any]] = None) -> Iterator[dict[str, Any]]:
        """Yields all sites with their topics, oldest first."""
        return _list_all(self.list_sites_page, filter)

    def list_sites_page(self, filter: Optional[dict[str, Any]] = None) -> dict[str, Any]:
        """One page of them."""
        return self._request("GET", self._of_tenant("sites", filter))

    def __repr__(self) -> str:
        # Not the key.
        return f"<pressbell.Client {self._url} {self._tenant_id}>"

    def __reduce__(self) -> Any:
        raise TypeError("A client has a secret, and is not pickled")

    def _of_tenant(self, noun: str, query: Optional[dict[str, Any]] = None) -> str:
        search = urlencode({name: value for name, value in (query or {}).items() if value is not None})
        return f"/v1/tenants/{quote(self._tenant_id, safe='')}/{noun}{'?' if search else ''}{search}"

    def _request(
        self,
        method: str,
        path: str,
        body: Optional[dict[str, Any]] = None,
        idempotency_key: Optional[str] = None,
        repeatable: bool = False,
    ) -> dict[str, Any]:
        """Calls the API, with repetitions where they are safe.

        repeatable: whether a second request has no further effect, as of a read, or with an idempotency key.
        """
        # Outside of the attempts: what JSON cannot hold is no matter of repetitions.
        data = None if body is None else json.dumps(body, allow_nan=False).encode()
        repeatable = repeatable or method == "GET" or idempotency_key is not None
        attempt = 0
        while True:
            try:
                return self._exchange(method, path, data, idempotency_key)
            except (PressbellError, ConnectionError) as error:
                wait = self._wait_before(attempt, repeatable, error) if attempt < self._retries else None
                if wait is None:
                    raise
            time.sleep(wait)
            attempt += 1

    def _wait_before(self, attempt: int, repeatable: bool, error: Exception) -> Optional[float]:
        """Returns the wait before a repetition, None if the call must not be repeated.

        A request that was limited (429) was not taken, so every call is repeated then. After other failures it may have
        been taken.
        """
        answer = error if isinstance(error, PressbellError) else None
        is_limited = answer is not None and answer.status == 429
        is_passing = answer is None or answer.status in _PASSING
        if not is_limited and not (repeatable and is_passing):
            return None
        if answer is not None and answer.retry_after_seconds is not None:
            asked = answer.retry_after_seconds
            return None if asked > self._max_retry_after_seconds else asked
        # At random: clients that failed together do not come back together.
        return min(_MAX_RETRY_SECONDS, self._first_retry_seconds * 2**attempt) * random.uniform(0.5, 1)

    def _exchange(
        self, method: str, path: str, data: Optional[bytes], idempotency_key: Optional[str]
    ) -> dict[str, Any]:
        headers = {"Authorization": f"Bearer {self._api_key}", "Accept": "application/json"}
        if data is not None:
            headers["Content-Type"] = "application/json"
        if idempotency_key is not None:
            headers["Idempotency-Key"] = idempotency_key
        request = Request(self._url + path, data=data, headers=headers, method=method)
        end = time.monotonic() + self._timeout_seconds
        try:
            try:
                answer = self._opener.open(request, timeout=self._timeout_seconds)
            except HTTPError as error:
                answer = error
            with answer:
                text = _read_until(end, answer)
        except (OSError, HTTPException) as cause:
            what = "could not be reached, or broke off"
            if time.monotonic() >= end:
                what = f"did not answer within {self._timeout_seconds} s"
            raise ConnectionError(f"{method} {path}: the service {what}.") from cause
        body = _parse(text)
        if 200 <= answer.status < 300 and body is not None:
            return body
        raise _error_of(answer.status, answer.headers, body if answer.status >= 300 else None)


def _group(group_id: str, verb: str = "") -> str:
    return f"/v1/campaign-groups/{quote(group_id, safe='')}{verb}"


def _campaign(campaign_id: str, verb: str = "") -> str:
    return f"/v1/campaigns/{quote(campaign_id, safe='')}{verb}"


def _read_key(given: Optional[str]) -> str:
    if given is None:
        return str(uuid.uuid4())
    if not re.fullmatch(r"[!-~]{1,255}", given):
        raise ValueError("`idempotency_key` must be 1 to 255 visible ASCII characters")
    return given


def _list_all(
    read_page: Callable[[dict[str, Any]], dict[str, Any]], filter: Optional[dict[str, Any]]
) -> Iterator[dict[str, Any]]:
    """Yields the entries of all pages. A page is read when its first entry is asked for."""
    page = read_page(filter or {})
    yield from page["data"]
    while page["nextCursor"] is not None:
        page = read_page({**(filter or {}), "cursor": page["nextCursor"]})
        yield from page["data"]


def _read_until(end: float, answer: Any) -> bytes:
    """Reads a body piece by piece: the time limit of a socket begins again with each."""
    parts = []
    while True:
        part = answer.read1(65_536)
        if not part:
            break
        if time.monotonic() >= end:
            raise TimeoutError("the answer took too long")
        parts.append(part)
    body = b"".join(parts)
    # read1 takes a connection that breaks for the end of the body.
    if answer.headers.get("content-length", str(len(body))) != str(len(body)):
        raise OSError("the connection broke within the answer")
    return body


def _parse(text: bytes) -> Optional[dict[str, Any]]:
    try:
        body = json.loads(text)
    except ValueError:
        return None
    return body if isinstance(body, dict) else None


def _error_of(status: int, headers: HTTPMessage, body: Optional[dict[str, Any]]) -> PressbellError:
    body = body or {}
    # A proxy may answer in JSON of another shape.
    is_ours = (
        isinstance(body.get("message"), str)
        and isinstance(body.get("code", ""), str)
        and isinstance(body.get("requestId", ""), str)
        and isinstance(body.get("errors", []), list)
    )
    body = body if is_ours else {}
    code = body.get("code") or ("unauthenticated" if status == 401 and is_ours else "unexpected_answer")
    known = {"code", "message", "requestId", "errors"}
    kind = PressbellError if code == "unexpected_answer" else _classes.get(status, PressbellError)
    nobody = f"The answer was no answer of Pressbell's API (status {status}). Check the service's address."
    return kind(
        body.get("message", nobody),
        code,
        status,
        body.get("requestId", headers.get("x-request-id")),
        body.get("errors", []),
        {name: value for name, value in body.items() if name not in known},
        _read_retry_after(headers.get("retry-after", "")),
    )


def _read_retry_after(value: str) -> Optional[float]:
    """Reads a Retry-After (RFC 9110, 10.2.3), seconds or a date, in seconds from now."""
    if re.fullmatch(r"[0-9]+", value):
        return float(value)
    try:
        at = parsedate_tz(value)
        return None if at is None else max(0.0, mktime_tz(at) - time.time())
    except (ValueError, OverflowError):
        return None
