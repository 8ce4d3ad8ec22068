#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""recut.py OLDREPO FINALDIR NEWREPO [NEWFILE=PATCHPREFIX...]
Distributes the difference between the last commit of OLDREPO and FINALDIR over the commits:
an edit goes into the commit that introduced the lines it touches."""
import subprocess,sys,os,tempfile,re,shutil
old,final,new=sys.argv[1:4]
newfiles=dict(a.split('=') for a in sys.argv[4:])
def git(*a,repo=old,inp=None):
    return subprocess.run(['git','-C',repo]+list(a),check=True,stdout=subprocess.PIPE,input=inp).stdout
commits=git('rev-list','--reverse','HEAD').decode().split()
subj=[git('log','-1','--format=%s',c).decode().strip() for c in commits]
files=[git('diff-tree','--no-commit-id','--name-only','-r','--no-renames',c).decode().split('\n')[:-1] if i else [] for i,c in enumerate(commits)]
def blob(i,f):
    p=subprocess.run(['git','-C',old,'show','%s:%s'%(commits[i],f)],stdout=subprocess.PIPE,stderr=subprocess.DEVNULL)
    return p.stdout if p.returncode==0 else None
allf=set(git('ls-tree','-r','--name-only','HEAD').decode().split('\n'))-{''}
for fl in files: allf|=set(fl)
conf=0
states={}  # f -> {i: content}
tmp=tempfile.mkdtemp()
def merge(base,ours,theirs,f,i):
    global conf
    for n,c in (('b',base),('o',ours),('t',theirs)):
        open(tmp+'/'+n,'wb').write(c)
    p=subprocess.run(['git','merge-file','-p','--theirs',tmp+'/o',tmp+'/b',tmp+'/t'],stdout=subprocess.PIPE)
    q=subprocess.run(['git','merge-file','-p','--diff3',tmp+'/o',tmp+'/b',tmp+'/t'],stdout=subprocess.PIPE)
    if q.returncode>0:
        conf+=1
        print('overlap: %s in %s (%d)'%(f,subj[i],q.returncode))
    return p.stdout
for f in sorted(allf):
    touched=[i for i in range(1,len(commits)) if f in files[i]]
    path=os.path.join(final,f)
    fin=open(path,'rb').read() if os.path.exists(path) else None
    if not touched: continue
    cur=fin; st={}
    for i in reversed(touched):
        st[i]=cur
        si,sp=blob(i,f),blob(i-1,f)
        if cur is None: cur=sp; continue
        if sp is None: cur=None; continue
        if si is None: cur=sp; continue
        cur=sp if cur==si else merge(si,cur,sp,f,i)
    base=blob(0,f)
    if cur!=base and not (cur is None and base is None):
        print('LEFT OVER in base:',f,'-> put into',subj[touched[0]])
    states[f]=st
for f,pre in newfiles.items():
    i=[k for k,s in enumerate(subj) if s.startswith(pre)][0]
    states[f]={i:open(os.path.join(final,f),'rb').read()}
shutil.rmtree(new,ignore_errors=True)
subprocess.run(['git','clone','-q','--no-checkout',old,new],check=True)
for k,v in (('user.name','x'),('user.email','x@example.org'),('gc.auto','0')): git('config',k,v,repo=new)
git('checkout','-q','-B','recut',commits[0],repo=new)
for i in range(1,len(commits)):
    todo=set(files[i])|{f for f in states if i in states[f]}
    for f in todo:
        c=states[f].get(i)
        p=os.path.join(new,f)
        if c is None:
            if os.path.exists(p): os.remove(p)
        else:
            os.makedirs(os.path.dirname(p),exist_ok=True)
            open(p,'wb').write(c)
    git('add','-A','-f',repo=new)
    msg=git('log','-1','--format=%B',commits[i])
    git('commit','-q','--allow-empty','--cleanup=verbatim','-F','-',repo=new,inp=msg)
print('overlaps:',conf)
# check
bad=0
for f in sorted(allf|set(newfiles)):
    a=os.path.join(new,f); b=os.path.join(final,f)
    ca=open(a,'rb').read() if os.path.exists(a) else None
    cb=open(b,'rb').read() if os.path.exists(b) else None
    if ca!=cb: print('DIFFERS',f); bad=1
sys.exit(bad)
