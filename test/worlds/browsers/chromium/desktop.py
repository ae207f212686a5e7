"""A desktop's notification daemon (org.freedesktop.Notifications 1.2) on the session bus, told by lines of JSON.

Prints {"ready": true}, then an answer for each line that it reads:
  {"do": "list"}                      -> [{"id", "title", "body"}, ...], oldest first
  {"do": "click" | "dismiss", "id"}   -> true, or false where it no longer stands
"""

import json
import sys

import dbus
import dbus.service
from dbus.mainloop.glib import DBusGMainLoop
from gi.repository import GLib

NAME = "org.freedesktop.Notifications"
DISMISSED_BY_USER, CLOSED_BY_CALL = 2, 3


class Desktop(dbus.service.Object):
    def __init__(self, bus):
        super().__init__(dbus.service.BusName(NAME, bus), "/org/freedesktop/Notifications")
        self.shown = {}
        self.last_id = 0

    @dbus.service.method(NAME, out_signature="as")
    def GetCapabilities(self):
        return ["actions", "body", "body-markup", "persistence"]

    @dbus.service.method(NAME, out_signature="ssss")
    def GetServerInformation(self):
        return ("desktop", "tests", "1", "1.2")

    @dbus.service.method(NAME, in_signature="susssasa{sv}i", out_signature="u")
    def Notify(self, app, replaces, icon, title, body, actions, hints, expire):
        if not replaces:
            self.last_id += 1
            replaces = self.last_id
        self.shown[int(replaces)] = {"id": int(replaces), "title": str(title), "body": str(body)}
        return replaces

    @dbus.service.method(NAME, in_signature="u")
    def CloseNotification(self, id):
        self.close(int(id), CLOSED_BY_CALL)

    @dbus.service.signal(NAME, signature="us")
    def ActionInvoked(self, id, action):
        pass

    @dbus.service.signal(NAME, signature="uu")
    def NotificationClosed(self, id, reason):
        pass

    def close(self, id, reason):
        if self.shown.pop(id, None):
            self.NotificationClosed(id, reason)

    def obey(self, words):
        if words["do"] == "list":
            return list(self.shown.values())
        id = words["id"]
        if id not in self.shown:
            return False
        if words["do"] == "click":
            self.ActionInvoked(id, "default")
        self.close(id, DISMISSED_BY_USER)
        return True


def say(answer):
    print(json.dumps(answer), flush=True)


def hear(stdin, _condition):
    line = stdin.readline()
    if not line:
        loop.quit()
        return False
    say(desktop.obey(json.loads(line)))
    return True


DBusGMainLoop(set_as_default=True)
desktop = Desktop(dbus.SessionBus())
loop = GLib.MainLoop()
GLib.io_add_watch(sys.stdin, GLib.IO_IN | GLib.IO_HUP, hear)
say({"ready": True})
loop.run()
