"""Asks the user a question and prints the ID of the answer: ask.py QUESTION ID=LABEL ID=LABEL… Needs Python's standard library only."""
import http.client, json, os, socket, stat, sys, time, uuid

CONFIG = os.environ.get("XDG_CONFIG_HOME") or os.path.expanduser("~/.config")
PROFILE = os.environ.get("COMPANION_PROFILE") or "my-script"
try:
    with open(os.path.join(CONFIG, "companion", "credentials", PROFILE + ".json"), encoding="utf-8") as file:
        CREDENTIAL = json.load(file)
except (OSError, ValueError):
    sys.exit("no credential profile " + PROFILE + "; pair first: companion pair --name NAME --scopes discover,interact --credential-profile " + PROFILE)
SOCKET = os.environ.get("COMPANION_SOCKET") or CREDENTIAL["socketPath"]
HEADERS = {"Content-Type": "application/json", "Companion-Protocol": "0.1", "Authorization": "Bearer " + CREDENTIAL["key"]}


class Connection(http.client.HTTPConnection):
    """HTTP over the companion's socket; the key goes to no other."""

    def connect(self):
        folder = os.lstat(os.path.dirname(SOCKET))
        if not stat.S_ISDIR(folder.st_mode) or folder.st_uid != os.getuid() or folder.st_mode & 0o077:
            sys.exit("the folder of the socket is not mine alone")
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.settimeout(self.timeout)
        self.sock.connect(SOCKET)


def call(method, params):
    """One call, tried again for half a minute; the idempotency key sees to it that nothing is asked twice."""
    give_up_at = time.monotonic() + 30
    while True:
        connection = Connection("companion", timeout=70)
        try:
            body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": params})
            connection.request("POST", "/rpc", body, HEADERS)
            answer = json.load(connection.getresponse())
            if "result" in answer:
                return answer["result"]
            error = answer["error"]["data"]
            wait_s = error.get("details", {}).get("retryAfterMs", 0) / 1000
            if not error["retryable"] or not wait_s or time.monotonic() > give_up_at:
                sys.exit(error["code"])
        except (OSError, http.client.HTTPException, ValueError) as problem:
            if time.monotonic() > give_up_at:
                sys.exit("no answer from the companion: " + type(problem).__name__)
            wait_s = 0.2
        finally:
            connection.close()
        time.sleep(wait_s)


if len(sys.argv) < 3 or not all("=" in choice for choice in sys.argv[2:]):
    sys.exit("usage: ask.py QUESTION ID=LABEL ID=LABEL…")
options = [dict(zip(("id", "label"), choice.split("=", 1))) for choice in sys.argv[2:]]
params = {"title": sys.argv[1], "options": options}
request = call("requests.create", {"capability": "interaction.choose", "params": params, "idempotencyKey": str(uuid.uuid4())})
while request["endedAt"] is None:
    request = call("requests.wait", {"requestId": request["requestId"], "afterRevision": request["revision"], "waitMs": 60000})
if request["status"] != "completed":
    sys.exit(request["status"] + ": " + request["reason"])
print(request["result"]["selectedId"])
