"""Cmdlets and programs of Windows, their aliases and parameters: data."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

_ALIASES = """
ri=remove-item rm=remove-item rmdir=remove-item rd=remove-item del=remove-item erase=remove-item
rp=remove-itemproperty gci=get-childitem ls=get-childitem dir=get-childitem gi=get-item gc=get-content
cat=get-content type=get-content sc=set-content clc=clear-content cli=clear-item clp=clear-itemproperty
ni=new-item md=new-item mkdir=new-item mi=move-item mv=move-item move=move-item ci=copy-item cpi=copy-item
cp=copy-item copy=copy-item rni=rename-item ren=rename-item iex=invoke-expression icm=invoke-command
iwr=invoke-webrequest wget=invoke-webrequest curl=invoke-webrequest irm=invoke-restmethod saps=start-process
start=start-process spps=stop-process kill=stop-process spsv=stop-service sasv=start-service %=foreach-object
foreach=foreach-object ?=where-object where=where-object sp=set-itemproperty si=set-item ac=add-content
sal=set-alias nal=new-alias echo=write-output write=write-output cd=set-location chdir=set-location
sl=set-location pushd=push-location ipmo=import-module ii=invoke-item select=select-object sort=sort-object
tee=tee-object gp=get-itemproperty gps=get-process ps=get-process sajb=start-job rsn=remove-pssession
nsn=new-pssession etsn=enter-pssession gwmi=get-wmiobject iwmi=invoke-wmimethod rwmi=remove-wmiobject
cls=clear-host h=get-history history=get-history clhy=clear-history
"""
ALIASES: Mapping[str, str] = MappingProxyType(dict(one.split("=") for one in _ALIASES.split()))

_COMMON = "verbose debug erroraction= warningaction= outvariable= whatif confirm"
_ITEM = "path= literalpath= filter= include= exclude= recurse force credential= " + _COMMON
PARAMETERS: Mapping[str, str] = MappingProxyType(
    # the parameters of cmdlets, so that shortened ones are known; `=` takes a value
    {
        "remove-item": _ITEM + " stream=",
        "remove-itemproperty": _ITEM + " name=",
        "get-childitem": _ITEM + " depth= name file directory hidden attributes=",
        "get-item": _ITEM,
        "get-content": _ITEM + " totalcount= tail= raw wait encoding= readcount= delimiter=",
        "set-content": _ITEM + " value= encoding= nonewline passthru",
        "add-content": _ITEM + " value= encoding= nonewline",
        "clear-content": _ITEM,
        "clear-item": _ITEM,
        "out-file": "filepath= literalpath= encoding= append force noclobber width= nonewline inputobject= "
        + _COMMON,
        "tee-object": "filepath= append variable= inputobject=",
        "new-item": _ITEM + " name= itemtype= type= value= target=",
        "new-itemproperty": _ITEM + " name= value= propertytype= type=",
        "set-itemproperty": _ITEM + " name= value= type=",
        "move-item": _ITEM + " destination= passthru",
        "copy-item": _ITEM + " destination= container passthru tosession= fromsession=",
        "rename-item": _ITEM + " newname= passthru",
        "invoke-webrequest": "uri= method= body= headers= outfile= infile= useragent= usebasicparsing contenttype= "
        "credential= timeoutsec= proxy= skipcertificatecheck websession= form= " + _COMMON,
        "invoke-expression": "command= " + _COMMON,
        "invoke-command": "computername= scriptblock= filepath= argumentlist= credential= session= asjob "
        + _COMMON,
        "start-process": "filepath= argumentlist= args= verb= wait nonewwindow passthru windowstyle= workingdirectory= "
        "credential= redirectstandardoutput= redirectstandarderror= " + _COMMON,
        "stop-process": "id= name= inputobject= force passthru " + _COMMON,
        "foreach-object": "process= begin= end= membername= parallel= throttlelimit=",
        "where-object": "filterscript= property= value= eq ne gt lt like match notlike notmatch in",
        "set-location": "path= literalpath= passthru",
        "export-csv": "path= notypeinformation append force encoding= delimiter=",
    }
)
PARAMETERS = MappingProxyType({**PARAMETERS, "invoke-restmethod": PARAMETERS["invoke-webrequest"]})

PERSISTS = frozenset(
    (
        "register-scheduledtask",
        "new-service",
        "set-service",
        "schtasks",
        "new-scheduledtask",
        "register-wmievent",
    )
)
SHUTS = frozenset(("stop-computer", "restart-computer"))
RUN_KEY = r"\\(?:run|runonce|winlogon|policies\\explorer\\run|image file execution options)\b"
PASSES = frozenset(
    (
        "where-object",
        "sort-object",
        "select-object",
        "tee-object",
        "get-item",
        "resolve-path",
        "convert-path",
        "out-null",
    )
)
VARIABLES: Mapping[str, str] = MappingProxyType(
    # variables of the environment that are known well enough
    {
        "userprofile": "~",
        "home": "~",
        "homepath": "~",
        "systemroot": "C:\\Windows",
        "windir": "C:\\Windows",
        "systemdrive": "C:",
        "homedrive": "C:",
        "programfiles": "C:\\Program Files",
        "programdata": "C:\\ProgramData",
        "public": "C:\\Users\\Public",
        "appdata": "~\\AppData\\Roaming",
        "localappdata": "~\\AppData\\Local",
        "temp": "/tmp/tmp",  # noqa: S108
        "tmp": "/tmp/tmp",  # noqa: S108
        "cd": ".",
        "comspec": "cmd",
    }
)
"""Directories of temporary files read as such on every system."""
